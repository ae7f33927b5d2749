import { lineOf } from '../../core/line-of.ts'
import type { Attributes } from './show-item.ts'

/** Where the metadata of a foreign contract's token is. */
export type MetadataLocation = { kind: 'inline'; json: string } | { kind: 'url'; url: string } | { kind: 'unknown' }

const MAX_INLINE_BYTES = 256 * 1024

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
  if (isBase64) return { kind: 'inline', json: Buffer.from(content, 'base64').toString('utf8') }
  return { kind: 'inline', json: content.includes('%') ? decoded(content) : content }
}

function decoded(content: string): string {
  try {
    return decodeURIComponent(content)
  } catch {
    return content
  }
}

const MAX_ATTRIBUTES = 100
const MAX_BYTES = 64 * 1024
const RESERVED = ['title', 'description', 'image_url', 'animation_url', 'external_url']

/** The attributes of an item from a foreign metadata document, within the limits that our own items have. */
export function attributesFrom(document: unknown, title: string, gateway: string): Attributes {
  const httpsOf = (value: unknown) =>
    typeof value === 'string' ? onlyHttps(throughGateway(value, gateway)) : undefined
  const given = typeof document === 'object' && document !== null ? (document as Attributes) : {}
  const attributes: Attributes = {
    title: lineOf(given.name, 255) ?? title,
    ...optionalField('description', textOf(given.description)),
    ...optionalField('image_url', httpsOf(given.image ?? given.image_url)),
    ...optionalField('animation_url', httpsOf(given.animation_url)),
    ...optionalField('external_url', httpsOf(given.external_url)),
  }
  for (const trait of Array.isArray(given.attributes) ? (given.attributes as unknown[]) : [])
    addTrait(attributes, trait)
  return attributes
}

/** Adds a trait. Several traits with one name become a list. */
function addTrait(attributes: Attributes, trait: unknown): void {
  const { trait_type, value } = (trait ?? {}) as Attributes
  const name = lineOf(trait_type, 100)?.replaceAll(':', ' ')
  const shown =
    typeof value === 'string'
      ? lineOf(value, 1_000)
      : typeof value === 'number' || typeof value === 'boolean'
        ? value
        : undefined
  if (!name || shown === undefined || RESERVED.includes(name) || name === '__proto__') return
  const before = Object.hasOwn(attributes, name) ? attributes[name] : undefined
  const after = before === undefined ? shown : [...[before].flat(), shown]
  const isRoom = before !== undefined || Object.keys(attributes).length < MAX_ATTRIBUTES
  if (isRoom && JSON.stringify(attributes).length + JSON.stringify(shown).length + name.length < MAX_BYTES)
    attributes[name] = after
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
