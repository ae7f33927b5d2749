import { readAs } from '@/components/dashboard/item-types/schema'

type Trait = { name?: string; value?: string }
type Draft = {
  attributes?: Record<string, unknown>
  traits?: Record<string, Trait>
  kinds?: Record<string, string>
  known?: string[]
  another?: string
}

/** The controls and rows of the item form as attributes. One that was there and is no more is null, which removes it. */
export function withTraits(body: Record<string, unknown>): Record<string, unknown> {
  const { attributes = {}, traits = {}, kinds = {}, known = [], another: _, ...rest } = body as Draft
  const said = Object.entries(attributes).map(
    ([name, value]) =>
      [name, kinds[name] !== undefined && typeof value === 'string' ? readAs(kinds[name], value) : value] as const,
  )
  const named = Object.values(traits).filter(
    (trait): trait is Required<Trait> => Boolean(trait.name) && trait.value !== undefined,
  )
  const given = Object.fromEntries([...said, ...named.map(({ name, value }) => [name, valueOf(value)] as const)])
  const gone = known.filter((name) => !Object.hasOwn(given, name))
  return { ...rest, attributes: { ...Object.fromEntries(gone.map((name) => [name, null])), ...given } }
}

/** A plain number, a yes or no, a list or an object as JSON has them; all else is text. */
function valueOf(text: string): unknown {
  if (!/^(-?(0|[1-9]\d{0,14})(\.\d+)?|true|false|\[.*\]|\{.*\})$/s.test(text)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
