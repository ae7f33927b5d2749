import { setImmediate as breathe } from 'node:timers/promises'
import { isAddress } from 'viem'
import type { z } from 'zod'
import { attributes } from '../../platform/api/attributes.ts'
import { address } from '../../core/wire.ts'
import { type Column, type ColumnKind, columnFor } from './columns.ts'
import type { Table } from './read-table.ts'
import { parseFields } from '../../core/parse-fields.ts'
import { parseExactJson } from '../../platform/http/exact-json.ts'
import { isExactNumber } from '../../platform/http/json-tokens.ts'

export type ItemSchema = { properties?: Record<string, { type?: unknown } | undefined> }

/** The item that a line describes. */
export type ItemLine = {
  attributes: z.output<typeof attributes>
  royalty_info: { receiver: string; amount_bps: number } | null
  externalId: string | null
  tokenId: bigint | null
  maxSupply: bigint | null
}

/**
 * Reads a line's cells as an item; an empty cell counts as absent. `line` is null when there are `reasons` against it.
 */
export function readItem(
  columns: readonly Column[],
  fields: Record<string, string>,
  schema: ItemSchema | null,
): { line: ItemLine | null; reasons: string[] } {
  const reasons: string[] = []
  const cell = (means: string): string => fields[columnFor(columns, means) ?? ''] ?? ''
  const wrong = (means: string, sentence: string): null => {
    reasons.push(`${columnFor(columns, means) ?? means}: ${sentence}`)
    return null
  }
  const whole = (means: string, least: bigint, sentence: string): bigint | null => {
    const text = cell(means)
    if (text === '') return null
    return /^\d{1,78}$/.test(text) && BigInt(text) >= least ? BigInt(text) : wrong(means, sentence)
  }
  const given: Record<string, unknown> = {}
  for (const { name, means, kind = 'text' } of columns) {
    const attribute = attributeOf(means)
    const text = fields[name] ?? ''
    if (attribute !== null && text !== '') given[attribute] = valueOf(text, kind, typesOf(attribute, schema))
  }
  const { data, fields: faults = [] } = parseFields(attributes, given)
  for (const { field, code, detail } of faults) {
    const means = columns.find((column) => attributeOf(column.means) === field)?.means ?? field
    wrong(means, code === 'required' ? 'This is needed.' : detail)
  }
  const tokenId = whole('token_id', 0n, 'A token id is a whole number.')
  const maxSupply = whole('max_supply', 1n, 'A whole number is needed, at least 1.')
  if (maxSupply !== null && cell('token_id') === '')
    wrong('max_supply', 'The units of an item are fixed when it is locked: give a token_id too, or lock it afterwards.')
  const royalty_info = royaltyOf(cell, wrong)
  const externalId = cell('external_id') || null
  if (reasons.length > 0 || !data) return { line: null, reasons }
  return { line: { attributes: data, royalty_info, externalId, tokenId, maxSupply }, reasons }
}

const attributeOf = (means: string | null): string | null =>
  means === null
    ? null
    : means.startsWith('attributes.')
      ? means.slice(11)
      : ['title', 'description', 'image_url'].includes(means)
        ? means
        : null

function royaltyOf(
  cell: (means: string) => string,
  wrong: (means: string, sentence: string) => null,
): ItemLine['royalty_info'] {
  const [receiver, bps] = [cell('royalty_receiver'), cell('royalty_bps')]
  if (receiver === '' && bps === '') return null
  if (receiver === '') return wrong('royalty_receiver', 'A royalty needs an address that gets it.')
  const read = parseFields(address, normalizeAddressCase(receiver))
  if (read.fields) wrong('royalty_receiver', read.fields[0]!.detail)
  if (!/^\d{1,5}$/.test(bps) || Number(bps) > 10_000)
    wrong('royalty_bps', 'A whole number from 0 to 10,000 is needed: 250 is 2.5 %.')
  return read.data ? { receiver: read.data, amount_bps: Number(bps) } : null
}

/** Lower-cases an address that is all in capitals, since it has no checksum (EIP-55), and fixes a 0X prefix. */
const normalizeAddressCase = (text: string): string =>
  /^0x[0-9A-F]{40}$/i.test(text) && !isAddress(text) && text.slice(2) === text.slice(2).toUpperCase()
    ? text.toLowerCase()
    : text.replace(/^0X/, '0x')

/** The types that the schema wants of an attribute; none where it doesn't say. */
const typesOf = (attribute: string, schema: ItemSchema | null): string[] =>
  DESCRIPTIVE.has(attribute) ? ['string'] : [schema?.properties?.[attribute]?.type ?? []].flat().map(String)
const DESCRIPTIVE = new Set(['title', 'description', 'image_url'])

/** A cell as the type that the schema wants, else as the kind of its column. */
function valueOf(text: string, kind: ColumnKind, types: readonly string[]): unknown {
  if (types.length === 0) return kind === 'number' ? Number(text) : kind === 'boolean' ? text === 'true' : text
  const number = /^-?(0|[1-9]\d{0,14})(\.\d+)?$/.test(text) && isExactNumber(text) ? Number(text) : null
  const truth = /^(true|false)$/i.test(text) ? text.toLowerCase() === 'true' : null
  const json = /^[[{]/.test(text) ? jsonOf(text) : undefined
  const isWanted = types.includes('number') || (types.includes('integer') && Number.isInteger(number))
  if (number !== null && isWanted && !(types.includes('string') && String(number) !== text)) return number
  if (truth !== null && types.includes('boolean')) return truth
  if (json !== undefined && types.some((type) => type === 'array' || type === 'object')) return json
  return text
}

/**
 * The columns with their kinds: numbers only where each cell prints as it was typed, so that 1.10 and 007 stay what
 * they are.
 */
export async function withKinds(
  columns: readonly Column[],
  table: Table,
  schema: ItemSchema | null,
): Promise<Column[]> {
  const open = columns.filter(
    ({ means }) => means?.startsWith('attributes.') && typesOf(means.slice(11), schema).length === 0,
  )
  const may = new Map(open.map(({ name }) => [name, new Set<ColumnKind>(['number', 'boolean'])]))
  for (let from = 0; from < table.rowCount; from += KINDS_AT_ONCE) {
    await breathe()
    for (const { fields } of table.rows(from, KINDS_AT_ONCE))
      for (const [name, kinds] of may) {
        const text = fields[name]
        if (text === undefined) continue
        if (!printsAsTyped(text)) kinds.delete('number')
        if (text !== 'true' && text !== 'false') kinds.delete('boolean')
      }
  }
  return columns.map((column) => {
    const [kind = 'text'] = may.get(column.name) ?? []
    return { ...column, kind }
  })
}
const KINDS_AT_ONCE = 500

function printsAsTyped(text: string): boolean {
  const number = Number(text)
  const isKept = Number.isSafeInteger(number) || (Number.isFinite(number) && !Number.isInteger(number))
  return isKept && String(number) === text
}

function jsonOf(text: string): unknown {
  try {
    return parseExactJson(text)
  } catch {
    return undefined
  }
}
