import { readAs } from '@/components/dashboard/item-types/schema'
import { parseExactJson } from '@/lib/platform/http/exact-json'

type Trait = { name?: string; value?: string }
type Draft = {
  attributes?: Record<string, unknown>
  traits?: Record<string, Trait>
  kinds?: Record<string, string>
  known?: string[]
  another?: string
}

/** Converts the controls and rows of the item form to attributes. A removed attribute is null, which deletes it. */
export function withTraits(body: Record<string, unknown>): Record<string, unknown> {
  const { attributes = {}, traits = {}, kinds = {}, known = [], another: _, ...rest } = body as Draft
  const fromControls = Object.entries(attributes).map(
    ([name, value]) =>
      [name, kinds[name] !== undefined && typeof value === 'string' ? readAs(kinds[name], value) : value] as const,
  )
  const fromRows = Object.values(traits).filter(
    (trait): trait is Required<Trait> => Boolean(trait.name) && trait.value !== undefined,
  )
  const values = Object.fromEntries([
    ...fromControls,
    ...fromRows.map(({ name, value }) => [name, valueOf(value)] as const),
  ])
  const removed = known.filter((name) => !Object.hasOwn(values, name))
  return { ...rest, attributes: { ...Object.fromEntries(removed.map((name) => [name, null])), ...values } }
}

/** Parses a number, boolean, list or object in JSON; anything else is text. */
function valueOf(text: string): unknown {
  if (!/^(-?(0|[1-9]\d{0,14})(\.\d+)?|true|false|\[.*\]|\{.*\})$/s.test(text)) return text
  try {
    return parseExactJson(text)
  } catch {
    return text
  }
}
