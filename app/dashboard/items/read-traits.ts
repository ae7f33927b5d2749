import { FIELD_KINDS, isNumber, OWN, readAs, writtenAs } from '@/components/dashboard/item-types/schema'
import { type Trait, TRAIT_KINDS, traitOf } from '@/components/dashboard/items/traits'
import { AppError } from '@/lib/core/errors'
import { withLineFeeds } from '@/lib/core/line-feeds'
import { parseExactJson } from '@/lib/platform/http/exact-json'
import { isExactNumber } from '@/lib/platform/http/json-tokens'

type Attributes = Record<string, unknown>
/** `was`: the attribute that the row was opened with. Empty fields are missing. */
type Row = { was?: string; name?: string; kind?: string; value?: string | null }
type Draft = {
  attributes?: Record<string, string | null>
  traits?: Record<string, Row>
  kinds?: Record<string, unknown>
  another?: string
}
type RowProblem = 'nameless' | 'twice' | 'own' | 'number' | 'inexact' | 'boolean' | 'json'
export type ReadItem = {
  body: Record<string, unknown> & { attributes: Attributes }
  /** The control that holds an attribute's value. */
  controls: Map<string, string>
  /** The faults of rows, by control. */
  problems: Record<string, RowProblem>
}

/**
 * Converts the controls and rows of the item form to attributes. What wasn't changed keeps its value, whatever its
 * control can show of it. A removed attribute is null, which deletes it.
 */
export function readItem(form: Record<string, unknown>, opened: Attributes): ReadItem {
  const { attributes = {}, traits = {}, kinds = {}, another: _, ...rest } = form as Draft
  const values: Attributes = {}
  const read: ReadItem = { body: { ...rest, attributes: values }, controls: new Map(), problems: {} }
  for (const [name, typed] of Object.entries(attributes)) {
    const kind = FIELD_KINDS.find((kind) => kind === kinds[name]) ?? 'text'
    if (isShown(typed, writtenAs(kind, opened[name]))) values[name] = opened[name]
    else values[name] = typed === null ? null : readAs(kind, typed)
  }
  const taken = new Set([...OWN, ...Object.keys(kinds)])
  for (const [key, row] of Object.entries(traits)) readRow(read, values, { key, row, opened, taken })
  const gone = Object.keys(opened).filter((name) => !(OWN as readonly string[]).includes(name) && values[name] == null)
  const removed = Object.fromEntries(gone.map((name) => [name, null]))
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
  return { ...read, body: { ...rest, attributes: { ...given, ...removed } } }
}

/** Whether a control still shows what it was opened with. */
const isShown = (typed: string | null | undefined, shown: string): boolean => (typed ?? '') === withLineFeeds(shown)

type At = { key: string; row: Row; opened: Attributes; taken: Set<string> }

function readRow({ controls, problems }: ReadItem, values: Attributes, { key, row, opened, taken }: At): void {
  const at = (part: 'name' | 'value') => `traits.${key}.${part}`
  const before = row.was !== undefined && Object.hasOwn(opened, row.was) ? traitOf(row.was, opened[row.was]) : null
  const isSameName = before !== null && row.name === before.name.trim()
  const name = isSameName ? before.name : row.name
  if (name === undefined) {
    if (before || row.value) problems[at('name')] = 'nameless'
    return
  }
  if (taken.has(name)) {
    problems[at('name')] = Object.hasOwn(values, name) && !(OWN as readonly string[]).includes(name) ? 'twice' : 'own'
    return
  }
  taken.add(name)
  controls.set(`attributes.${name}`, at(/^[^\p{Cc}:]{1,100}$/u.test(name) ? 'value' : 'name'))
  if (before && row.kind === before.kind && isShown(row.value, before.value)) {
    values[name] = opened[before.name]
    return
  }
  const { value, problem } = valueOf({ name, kind: kindOf(row.kind), value: row.value ?? '' })
  if (problem) problems[at('value')] = problem
  else values[name] = value
}

const kindOf = (given: string | undefined): Trait['kind'] => TRAIT_KINDS.find((kind) => kind === given) ?? 'text'

function valueOf({ kind, value }: Trait): { value?: unknown; problem?: RowProblem } {
  const text = value.trim()
  switch (kind) {
    case 'text':
      return { value }
    case 'number':
      if (!isNumber(text)) return { problem: 'number' }
      return isExactNumber(text) ? { value: Number(text) } : { problem: 'inexact' }
    case 'boolean':
      return text === 'true' || text === 'false' ? { value: text === 'true' } : { problem: 'boolean' }
    case 'json':
      try {
        return { value: parseExactJson(text) }
      } catch (error) {
        if (error instanceof AppError) return { problem: 'json' }
        throw error
      }
  }
}
