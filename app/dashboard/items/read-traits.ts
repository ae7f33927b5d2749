type Trait = { name?: string; value?: string }
type Draft = { attributes?: Record<string, unknown>; traits?: Record<string, Trait>; known?: string[]; another?: string }

/** The rows of the item form as attributes. One that was there and is no more is null, which removes it. */
export function withTraits(body: Record<string, unknown>): Record<string, unknown> {
  const { traits = {}, known = [], another: _, ...rest } = body as Draft
  const named = Object.values(traits).filter((trait): trait is Required<Trait> => Boolean(trait.name) && trait.value !== undefined)
  const gone = known.filter((name) => !named.some((trait) => trait.name === name))
  return {
    ...rest,
    attributes: {
      ...rest.attributes,
      ...Object.fromEntries(gone.map((name) => [name, null])),
      ...Object.fromEntries(named.map(({ name, value }) => [name, valueOf(value)])),
    },
  }
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
