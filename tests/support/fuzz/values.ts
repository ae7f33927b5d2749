import { newId } from '../../../lib/core/id.ts'
import type { Dice } from './dice.ts'
import type { Operation } from './document.ts'

type Json = any // schemas are read untyped
export type Rows = Record<string, string>

/** A value that a schema of the document allows, mostly; ids are those of rows, by the name of their field. */
export function valueOf(schema: Json, name: string, { resolve }: Operation, rows: Rows, dice: Dice): unknown {
  const make = (given: Json, at: string, depth: number): unknown => {
    const own = rowOf(at, rows)
    if (own !== undefined && dice.percent(85)) return own
    const type = resolve(given)
    if (type.const !== undefined) return type.const
    if (type.enum) return dice.pick(type.enum as unknown[])
    const choices = type.anyOf ?? type.oneOf
    if (choices) return make(dice.pick(choices as Json[]), at, depth)
    if (type.allOf) return make(type.allOf[0], at, depth)
    const known = type.example ?? type.examples?.[0] ?? type.default
    if (known !== undefined && dice.percent(70)) return structuredClone(known)
    switch ([type.type].flat()[0]) {
      case 'object':
        return depth > 4
          ? {}
          : Object.fromEntries(
              Object.entries<Json>(type.properties ?? {})
                .filter(([field]) => type.required?.includes(field) || dice.percent(40))
                .map(([field, inner]) => [field, make(inner, field, depth + 1)]),
            )
      case 'array':
        return Array.from({ length: Math.max(type.minItems ?? 0, dice.upTo(2)) }, () =>
          make(type.items ?? {}, at.replace(/s$/, ''), depth + 1),
        )
      case 'integer':
      case 'number':
        return (type.minimum ?? 0) + dice.upTo(3)
      case 'boolean':
        return dice.percent(50)
      case 'null':
        return null
      case 'string':
        return textOf(type, dice)
      default:
        return dice.pick(['x', 1, true])
    }
  }
  return make(schema, name, 0)
}

function textOf({ format, minLength = 1 }: Json, dice: Dice): string {
  if (format === 'uuid') return newId()
  if (format === 'date-time') return dice.pick(['2026-01-01T00:00:00Z', '2027-06-01T00:00:00+02:00'])
  if (format === 'uri') return 'https://example.com/a'
  return dice.pick(['Moonflower', 'owl', '1', 'DELAYED', 'x'.repeat(40)]).padEnd(minLength, 'x')
}

/** Fields named otherwise than the row that they mean. */
const ALIASES: Rows = {
  ids: 'item_id',
  item_ids: 'item_id',
  collection_ids: 'collection_id',
  to_address: 'eth_address',
}
const rowOf = (name: string, rows: Rows): string | undefined =>
  rows[name] ?? rows[ALIASES[name] ?? ''] ?? (name.endsWith('_ids') ? rows[name.slice(0, -1)] : undefined)

/** An example with the ids of rows in place of its own. */
export function withRows(value: unknown, rows: Rows): unknown {
  if (Array.isArray(value)) return value.map((each) => withRows(each, rows))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      typeof inner === 'string' ? (rowOf(name, rows) ?? inner) : withRows(inner, rows),
    ]),
  )
}
