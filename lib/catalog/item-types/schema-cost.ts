import type { Schema } from './compile-schema.ts'
import { linearPattern } from './linear-pattern.ts'

/** Bounds of a schema that is compiled, and checked by, in the thread of requests. */
const MAX_BYTES = 8 * 1024
const MAX_PATTERN_STEPS = 1_000

/**
 * The most that a check by a schema takes: for each part of a value, and for each of its characters. null: no bound is
 * known, or it takes long to compile.
 */
export type Cost = { perPart: number; perCharacter: number } | null

/**
 * The cost of a schema. References may visit a value any number of times, and unique entries are compared with each
 * other.
 */
export function costOf(schema: Schema): Cost {
  if (JSON.stringify(schema).length > MAX_BYTES) return null
  const cost = { perPart: 0, perCharacter: 0 }
  const count = (value: unknown): boolean => {
    cost.perPart++
    if (typeof value !== 'object' || value === null) return true
    return Object.entries(value).every(([name, inner]) => {
      if (name === '$ref' || name === '$dynamicRef' || name === 'uniqueItems') return false
      if (name === 'minLength' || name === 'maxLength') cost.perCharacter++
      const patterns =
        name === 'pattern' && typeof inner === 'string'
          ? [inner]
          : name === 'patternProperties' && typeof inner === 'object' && inner !== null
            ? Object.keys(inner)
            : []
      for (const pattern of patterns) {
        const linear = linearPattern(pattern)
        if (!linear) return false
        cost.perCharacter += linear.size
      }
      return cost.perCharacter <= MAX_PATTERN_STEPS && count(inner)
    })
  }
  return count(schema) ? cost : null
}

/** The parts of a value, and the characters of its texts and names. */
function sizeOf(value: unknown): { parts: number; characters: number } {
  if (typeof value === 'string') return { parts: 1, characters: value.length }
  const size = { parts: 1, characters: 0 }
  if (typeof value !== 'object' || value === null) return size
  for (const [name, inner] of Object.entries(value)) {
    const { parts, characters } = sizeOf(inner)
    size.parts += parts
    size.characters += characters + name.length
  }
  return size
}

/** The steps that a check takes at most. */
export function stepsOf({ perPart, perCharacter }: NonNullable<Cost>, value: unknown): number {
  const { parts, characters } = sizeOf(value)
  return perPart * parts + perCharacter * characters
}
