import { lineOf } from '../../core/line-of.ts'
import { textIn } from '../../core/text-in.ts'
import type { Attributes } from './show-item.ts'

/** Where the metadata of a foreign contract's token is. */
export type MetadataLocation = { kind: 'inline'; json: string } | { kind: 'url'; url: string } | { kind: 'unknown' }

/** As many as are fetched of a document. */
const MAX_INLINE_BYTES = 1024 * 1024

/**
 * Reads a token URI. `data:` URIs hold the document itself, `{id}` is replaced by the id in 64 hex digits (ERC-1155),
 * `ipfs://` goes through the gateway if there is one.
 */
export function metadataLocationOf(uri: string, tokenId: string, gateway: string): MetadataLocation {
  const text = throughGateway(uri.trim().replaceAll('{id}', BigInt(tokenId).toString(16).padStart(64, '0')), gateway)
  const data = /^data:application\/json[^,]*,/i.exec(text)
  if (data) return inlineFrom(text.slice(data[0].length), /;base64,$/i.test(data[0]))
  return /^https?:\/\//i.test(text) && URL.canParse(text) && text.length <= 2048
    ? { kind: 'url', url: text }
    : { kind: 'unknown' }
}

/** Throws where a document isn't a JSON object: a page in its place, or one that ends too soon. */
export function documentIn(json: string): object {
  const document: unknown = JSON.parse(json)
  if (typeof document !== 'object' || document === null || Array.isArray(document))
    throw new Error('The document is not a JSON object.')
  return document
}

/** Whether an address always gives the same: that of a CID at the gateway. */
export const isUnchanging = (url: string, gateway: string): boolean =>
  gateway !== '' && url.startsWith(`${gateway.replace(/\/+$/, '')}/ipfs/`)

/** The gateway's URL for an `ipfs://` URI, always below its `/ipfs/<cid>`; other URIs unchanged. */
function throughGateway(uri: string, gateway: string): string {
  const [, cid, rest = ''] = /^ipfs:\/\/(?:ipfs\/)?([a-z0-9]+)(\/.*)?$/i.exec(uri) ?? []
  if (!cid || !gateway) return uri
  const root = `${gateway.replace(/\/+$/, '')}/ipfs/${cid}`
  const url = `${root}${rest}`
  return URL.canParse(url) && `${new URL(url).href}/`.startsWith(`${new URL(root).href}/`) ? url : uri
}

function inlineFrom(content: string, isBase64: boolean): MetadataLocation {
  if (content.length > MAX_INLINE_BYTES) return { kind: 'unknown' }
  return { kind: 'inline', json: isBase64 ? textIn(Buffer.from(content, 'base64')) : decoded(content) }
}

function decoded(content: string): string {
  try {
    return content.includes('%') ? decodeURIComponent(content) : content
  } catch {
    return content
  }
}

const MAX_ATTRIBUTES = 100
const MAX_BYTES = 64 * 1024
/** More values than MAX_BYTES leaves room for. A document may hold hundreds of thousands. */
const MAX_VALUES = 10_000
/** Quotes, commas and the like beside a trait. */
const MAX_MARKS = 6
const RESERVED = ['title', 'description', 'image_url', 'animation_url', 'external_url']

const fieldsOf = (value: unknown): Attributes =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Attributes) : {}

const imageOf = ({ image, image_url }: Attributes): unknown => image ?? image_url

/** The picture that a document holds itself as a data: URI; null where it names an address of one, or has none. */
export function pictureIn(document: unknown): Uint8Array | null {
  const image = imageOf(fieldsOf(document))
  const [start] = (typeof image === 'string' && /^\s*data:image\/[^,]*,/i.exec(image)) || []
  if (!start) return null
  const content = decoded((image as string).slice(start.length))
  return Buffer.from(content, /;base64,$/i.test(start) ? 'base64' : 'utf8')
}

/** The attributes of an item from a foreign metadata document, within the limits that our own items have. */
export function attributesFrom(document: unknown, title: string, gateway: string): Attributes {
  const httpsOf = (value: unknown) =>
    typeof value === 'string' ? onlyHttps(throughGateway(value, gateway)) : undefined
  const given = fieldsOf(document)
  const attributes: Attributes = {
    title: lineOf(given.name, 255) ?? title,
    ...optionalField('description', textOf(given.description)),
    ...optionalField('image_url', httpsOf(imageOf(given))),
    ...optionalField('animation_url', httpsOf(given.animation_url)),
    ...optionalField('external_url', httpsOf(given.external_url)),
  }
  let bytes = JSON.stringify(attributes).length
  for (const { name, value } of traitsIn(given)) {
    const before = Object.hasOwn(attributes, name) ? attributes[name] : undefined
    bytes += JSON.stringify(value).length + name.length + MAX_MARKS
    if (bytes >= MAX_BYTES) break
    // Several traits with one name become a list.
    if (Array.isArray(before)) before.push(value)
    else if (before !== undefined) attributes[name] = [before, value]
    else if (Object.keys(attributes).length < MAX_ATTRIBUTES) attributes[name] = value
  }
  return attributes
}

type Trait = { name: string; value: string | number | boolean }

/**
 * The traits of `attributes`, and those of ERC-1155's `properties` that it doesn't have: values, lists of them, or
 * objects with a `value`.
 */
function traitsIn({ attributes, properties }: Attributes): Trait[] {
  const listed = (Array.isArray(attributes) ? (attributes as unknown[]) : []).slice(0, MAX_VALUES).flatMap((trait) => {
    const { trait_type, value } = fieldsOf(trait)
    return traitOf(trait_type, value)
  })
  const names = new Set(listed.map(({ name }) => name))
  const values = Object.entries(fieldsOf(properties))
    .slice(0, MAX_VALUES)
    .flatMap(([key, property]) => {
      const { name, value } = Object.hasOwn(fieldsOf(property), 'value') ? fieldsOf(property) : { value: property }
      return [value]
        .flat()
        .slice(0, MAX_VALUES)
        .map((one) => ({ name: name ?? key, one }))
    })
  const others = values.slice(0, MAX_VALUES).flatMap(({ name, one }) => traitOf(name, one))
  return [...listed, ...others.filter(({ name }) => !names.has(name))]
}

function traitOf(given: unknown, value: unknown): Trait[] {
  const name = lineOf(given, 100)?.replaceAll(':', ' ')
  const shown =
    typeof value === 'string'
      ? lineOf(value, 1_000)
      : typeof value === 'number' || typeof value === 'boolean'
        ? value
        : undefined
  if (!name || shown === undefined || RESERVED.includes(name) || name === '__proto__') return []
  return [{ name, value: shown }]
}

const optionalField = (name: string, value: string | undefined): Attributes =>
  value === undefined ? {} : { [name]: value }

function textOf(value: unknown): string | undefined {
  const text =
    typeof value === 'string'
      ? value
          .replace(/[^\P{Cc}\n\r\t]/gu, '')
          .trim()
          .slice(0, 10_000)
          .toWellFormed()
      : ''
  return text === '' ? undefined : text
}

const onlyHttps = (value: string): string | undefined =>
  value.length <= 2048 && /^https:\/\//i.test(value) && URL.canParse(value) ? value : undefined
