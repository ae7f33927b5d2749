import type { z } from 'zod'

/** A field of a body: its path, and what must be in the body for the schema to look at it. */
export type FieldOf = { path: string[]; preset: [path: string[], value: unknown][] }

type Definition = {
  type: string
  innerType?: z.ZodType
  in?: z.ZodType
  out?: z.ZodType
  shape?: Record<string, z.ZodType>
  element?: z.ZodType
  valueType?: z.ZodType
  keyType?: z.ZodType
  options?: z.ZodType[]
  discriminator?: string
  values?: unknown[]
  entries?: Record<string, unknown>
}
const definitionOf = (schema: z.ZodType) => schema._zod.def as unknown as Definition

/** Every field that a schema names, nested ones and those of each kind of a discriminated union included. */
export function fieldsOf(schema: z.ZodType, at: FieldOf = { path: [], preset: [] }): FieldOf[] {
  const def = definitionOf(schema)
  if (def.innerType) return fieldsOf(def.innerType, at)
  if (def.type === 'pipe') return fieldsOf(definitionOf(def.in!).type === 'transform' ? def.out! : def.in!, at)
  const own = at.path.length > 0 ? [at] : []
  const field = (name: string) => ({ ...at, path: [...at.path, name] })
  if (def.shape) return [...own, ...Object.entries(def.shape).flatMap(([name, part]) => fieldsOf(part, field(name)))]
  if (def.element) return [...own, ...fieldsOf(def.element, field('0'))]
  if (def.type === 'record')
    return [...own, ...fieldsOf(def.valueType!, field(String([...(def.keyType!._zod.values ?? ['name'])][0])))]
  if (!def.discriminator) return own
  const kinds = def.options!.flatMap((option) => {
    const kind = definitionOf(definitionOf(option).shape![def.discriminator!]!)
    const value = kind.values?.[0] ?? Object.values(kind.entries ?? {})[0]
    return fieldsOf(option, { path: at.path, preset: [...at.preset, [at.path, { [def.discriminator!]: value }]] })
  })
  return [...own, ...kinds]
}

/** A body with a value put at a path; undefined removes what is there. */
export function bodyWith(example: unknown, { path, preset }: FieldOf, value: unknown): unknown {
  let body = structuredClone(example)
  for (const [where, what] of [...preset, [path, value] as const]) body = put(body, where, what)
  return body
}

function put(body: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value
  const copy: Record<string, unknown> | unknown[] = Array.isArray(body)
    ? [...(body as unknown[])]
    : /^\d+$/.test(name)
      ? []
      : { ...(body as object | undefined) }
  const parts = copy as Record<string, unknown>
  parts[name] = put(parts[name], rest, value)
  if (parts[name] === undefined) delete parts[name]
  return copy
}

/** Values of every JSON type, and texts and numbers that formats and bounds refuse. */
export const WRONG_VALUES: readonly unknown[] = [
  undefined,
  null,
  true,
  7,
  0,
  -1,
  1.5,
  2 ** 60,
  '',
  'nonsense',
  '12.50',
  '-1',
  '2026-11-20',
  '2026-11-20T12:00:00',
  'https://',
  'a\u0000b',
  'x'.repeat(100_001),
  [],
  [7],
  ['nonsense'],
  Array.from({ length: 5_001 }, () => '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'),
  {},
  { nonsense: 1 },
]
