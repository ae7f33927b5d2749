/** An attribute as a row of the item form: its name, the kind of its value, and the value as text. */
export type Trait = { name: string; kind: TraitKind; value: string }
export const TRAIT_KINDS = ['text', 'number', 'boolean', 'json'] as const
export type TraitKind = (typeof TRAIT_KINDS)[number]

export function traitOf(name: string, value: unknown): Trait {
  const kind = kindOf(value)
  return { name, kind, value: kind === 'text' ? String(value) : JSON.stringify(value) }
}

function kindOf(value: unknown): TraitKind {
  if (typeof value === 'string') return 'text'
  if (typeof value === 'number') return 'number'
  return typeof value === 'boolean' ? 'boolean' : 'json'
}
