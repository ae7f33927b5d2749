import { attributeNameOf } from '../../platform/api/attributes.ts'
import { claimFieldOf } from './claim-headings.ts'
import { notImportable } from './read-table.ts'

/** A column of the file and the field it fills (`means`), null if unknown. */
export type Column = { name: string; means: string | null; kind?: ColumnKind }
/** The kind of an attribute's cells, where the item type doesn't say it: text unless all are of one other kind. */
export type ColumnKind = 'number' | 'boolean' | 'text'

const ITEM_FIELDS: Record<string, string> = {
  title: 'title',
  name: 'title',
  description: 'description',
  imageurl: 'image_url',
  image: 'image_url',
  picture: 'image_url',
  externalid: 'external_id',
  reference: 'external_id',
  tokenid: 'token_id',
  maxsupply: 'max_supply',
  supply: 'max_supply',
  royaltyreceiver: 'royalty_receiver',
  royaltybps: 'royalty_bps',
  royaltyamountbps: 'royalty_bps',
}

/** A heading reduced to lower-case letters and digits: "E-Mail" and "email" are equal. */
const normalizeHeading = (heading: string): string =>
  heading
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

/** Assigns each field to one column: the one with exactly its name, else the first synonym. */
function assign(names: readonly string[], words: Record<string, string>): Column[] {
  const meant = names.map((name) => words[normalizeHeading(name)] ?? null)
  const chosen = new Map<string, number>()
  for (const [at, means] of meant.entries()) {
    if (means === null) continue
    const exact = normalizeHeading(names[at]!) === normalizeHeading(means)
    const before = chosen.get(means)
    if (before === undefined || (exact && normalizeHeading(names[before]!) !== normalizeHeading(means)))
      chosen.set(means, at)
  }
  return names.map((name, at) => ({
    name,
    means: meant[at] !== null && chosen.get(meant[at]!) === at ? meant[at]! : null,
  }))
}

/**
 * The columns of a file of claims; those in `ignored` fill nothing. Throws `import_invalid` without an email column,
 * for two columns that mean one field, and for an ignored column that isn't there.
 */
export function claimColumnsOf(names: readonly string[], ignored: readonly string[]): Column[] {
  const absent = ignored.find((name) => !names.includes(name))
  if (absent !== undefined) throw notImportable(`ignore_columns: There is no column “${absent.slice(0, 60)}”.`)
  const columns = names.map((name): Column => {
    const means = claimFieldOf(name)
    return { name, means: means !== 'email' && ignored.includes(name) ? null : means }
  })
  assertOneForEach(columns)
  assertHasColumns(columns, 'email')
  return columns
}

/** The columns that fill nothing although nobody said so. */
export const unknownColumnsOf = (columns: readonly Column[], ignored: readonly string[]): string[] =>
  columns.flatMap(({ name, means }) => (means === null && !ignored.includes(name) ? name : []))

function assertOneForEach(columns: readonly Column[]): void {
  const first = new Map<string, string>()
  for (const { name, means } of columns) {
    if (means === null) continue
    const before = first.get(means)
    if (before !== undefined)
      throw notImportable(
        `The columns “${before.slice(0, 60)}” and “${name.slice(0, 60)}” both mean ${means}. Leave one of them out.`,
      )
    first.set(means, name)
  }
}

const DESCRIPTIVE = ['title', 'description', 'image_url']
const PREFIX = /^attributes?[._]/i

/**
 * A column that is no field of an item is an attribute, spelled as in the item type if that has it. Throws
 * `import_invalid`.
 */
export function itemColumnsOf(names: readonly string[], known: readonly string[]): Column[] {
  const spelled = new Map(known.map((name) => [normalizeHeading(name), name]))
  const bare = names.map((name) => name.replace(PREFIX, ''))
  const isAttribute = (at: number) => {
    const word = normalizeHeading(bare[at]!)
    const canonical = Object.values(ITEM_FIELDS).some((means) => normalizeHeading(means) === word)
    return PREFIX.test(names[at]!)
      ? !DESCRIPTIVE.some((means) => normalizeHeading(means) === word)
      : spelled.has(word) && !canonical
  }
  const fields = assign(
    bare.map((name, at) => (isAttribute(at) ? '' : name)),
    ITEM_FIELDS,
  )
  const taken = new Set(DESCRIPTIVE)
  const columns = fields.map(({ means }, at): Column => {
    const name = names[at]!
    if (means !== null) return { name, means }
    const attribute = spelled.get(normalizeHeading(bare[at]!)) ?? attributeNameOf(bare[at]!)
    if (taken.has(attribute))
      throw notImportable(`Two columns mean ${attribute.slice(0, 60)}, the second one is “${name.slice(0, 60)}”.`)
    if (/[:\p{Cc}]/u.test(attribute) || attribute.length > 100 || attribute === '__proto__')
      throw notImportable(
        `The column “${name.slice(0, 120)}”: an attribute’s name has 1 to 100 characters, none of them a colon.`,
      )
    taken.add(attribute)
    return { name, means: `attributes.${attribute}` }
  })
  assertHasColumns(columns, 'title')
  return columns
}

function assertHasColumns(columns: readonly Column[], means: string): void {
  if (columns.some((column) => column.means === means)) return
  const named = columns
    .slice(0, 12)
    .map(({ name }) => `“${name.slice(0, 60)}”`)
    .join(', ')
  throw notImportable(
    `There is no column “${means}”. The first line names ${named}${columns.length > 12 ? ' and more' : ''}.`,
  )
}

/** The name of the column that fills a field; null when there is none. */
export const columnFor = (columns: readonly Column[], means: string): string | null =>
  columns.find((column) => column.means === means)?.name ?? null
