import { setImmediate as breathe } from 'node:timers/promises'
import type { ValidateFunction } from 'ajv/dist/2020.js'
import type { FieldError } from '../../core/errors.ts'
import { AppError } from '../../core/errors.ts'
import type { Context } from '../../platform/auth/context.ts'
import { faultsInThread, schemaFaultsInThread } from './check-in-thread.ts'
import { compileSchema, type Faults, faultsBy, type Schema, schemaFaults } from './compile-schema.ts'
import { type Cost, costOf, stepsOf } from './schema-cost.ts'

/** The schema that attributes are validated against; null is the built-in type. `version` changes with the schema. */
export type TypeSchema = { id: string; version: number; schema: Schema } | null

/** The built-in type: a title and any plain values. */
const DEFAULT_SCHEMA: Schema = {
  type: 'object',
  required: ['title'],
  properties: { title: { type: 'string' }, description: { type: 'string' }, image_url: { type: 'string' } },
  additionalProperties: { type: ['string', 'number', 'boolean'] },
}

const MAX_SCHEMA_BYTES = 64 * 1024
const MAX_SCHEMA_DEPTH = 24
const MAX_COMPILED = 200
/** Steps of checks in the thread of requests: for one item, and before others have their turn. */
const MAX_STEPS = 20_000
/** Processor time that slow checks of one request take in all: its transaction waits for them. */
const REQUEST_MS = 1_000

/** Throws `schema_invalid`, with the fields, for anything but a self-contained schema of draft 2020-12. */
export async function assertSchemaValid(ctx: Pick<Context, 'organizationId' | 'actor'>, schema: Schema): Promise<void> {
  if (JSON.stringify(schema).length > MAX_SCHEMA_BYTES)
    throw schemaInvalid([{ field: 'schema', code: 'too_large', detail: 'A schema has at most 64 KiB.' }])
  const faults = faultsOf(schema, 'schema', 0)
  if (faults.length > 0) throw schemaInvalid(faults)
  const found = costOf(schema) ? schemaFaults(schema) : await schemaFaultsInThread(ctx, schema)
  if (found === null)
    throw schemaInvalid([{ field: 'schema', code: 'too_complex', detail: 'This schema takes too long to check.' }])
  if (found.length > 0) throw schemaInvalid(found)
}

const schemaInvalid = (fields: FieldError[]) =>
  new AppError('schema_invalid', `${fields[0]!.field}: ${fields[0]!.detail}`, { fields })

function faultsOf(value: unknown, at: string, depth: number): FieldError[] {
  if (typeof value !== 'object' || value === null) return []
  if (depth > MAX_SCHEMA_DEPTH)
    return [{ field: at, code: 'too_deep', detail: `A schema is at most ${MAX_SCHEMA_DEPTH} levels deep.` }]
  return Object.entries(value).flatMap(([name, inner]) => {
    const field = `${at}.${name}`
    const reference = name === '$ref' || name === '$dynamicRef'
    if (reference && typeof inner === 'string' && !inner.startsWith('#'))
      return [{ field, code: 'reference', detail: 'A reference may only point within the schema: it begins with #.' }]
    if (name === '$id' && typeof inner === 'string')
      return [{ field, code: 'reference', detail: 'A schema has no $id here: references begin with #.' }]
    if (name === '$schema' && typeof inner === 'string' && !/\/draft\/2020-12\/schema#?$/.test(inner))
      return [{ field, code: 'draft', detail: 'Write the schema in draft 2020-12.' }]
    return faultsOf(inner, field, depth + 1)
  })
}

type Compiled = { cost: Cost; validate: ValidateFunction | null }
const compiled = new Map<string, Compiled>()

const keyOf = (typeSchema: TypeSchema) => (typeSchema ? `${typeSchema.id} ${typeSchema.version}` : 'default')

/** A schema with what its checks cost. One without a bound is compiled where it is checked. */
function compiledOf(typeSchema: TypeSchema): Compiled {
  const key = keyOf(typeSchema)
  const cached = compiled.get(key)
  if (cached) return cached
  const schema = typeSchema?.schema ?? DEFAULT_SCHEMA
  const cost = costOf(schema)
  const made = { cost, validate: cost && compileSchema(schema) }
  if (compiled.size >= MAX_COMPILED) compiled.delete(compiled.keys().next().value!)
  compiled.set(key, made)
  return made
}

type Attributed = { typeSchema: TypeSchema; attributes: Record<string, unknown>; field: string }

export const TOO_SLOW = 'The item type’s schema takes too long to check these attributes.'

/**
 * The faults of each item. Those that may take long are found in a thread: null where one takes too long, undefined
 * where `budget` is used up before.
 */
export async function faultsOfEach(
  ctx: Pick<Context, 'organizationId' | 'actor'>,
  items: readonly Attributed[],
  budget: { ms: number },
): Promise<(Faults | null | undefined)[]> {
  const found = new Array<Faults | null | undefined>(items.length)
  const slow = new Map<string, number[]>()
  let steps = 0
  for (const [at, { typeSchema, attributes, field }] of items.entries()) {
    const { cost, validate } = compiledOf(typeSchema)
    const needed = cost ? stepsOf(cost, attributes) : Number.POSITIVE_INFINITY
    // The built-in type is known to be fast.
    if (typeSchema === null || (validate && needed <= MAX_STEPS)) {
      found[at] = faultsBy(validate!, attributes, field)
      steps += needed
    } else slow.set(keyOf(typeSchema), [...(slow.get(keyOf(typeSchema)) ?? []), at])
    if (steps < MAX_STEPS) continue
    steps = 0
    await breathe()
  }
  for (const [key, places] of slow) {
    const { schema } = items[places[0]!]!.typeSchema!
    const rows = places.map((at) => ({ attributes: items[at]!.attributes, field: items[at]!.field }))
    const faults = await faultsInThread(ctx, { key, schema }, rows, budget)
    for (const [index, at] of places.entries()) found[at] = faults[index]
  }
  return found
}

/**
 * Throws `attributes_invalid` with up to 100 faults of all items, and `schema_too_slow` where finding them takes too
 * long. `field` is where the attributes are in the request.
 */
export async function assertAttributesValid(
  ctx: Pick<Context, 'organizationId' | 'actor'>,
  items: readonly Attributed[],
): Promise<void> {
  const found = await faultsOfEach(ctx, items, { ms: REQUEST_MS })
  const slow = items.filter((_, at) => !found[at])
  if (slow.length > 0)
    throw new AppError('schema_too_slow', `${slow[0]!.field}: ${TOO_SLOW}`, {
      fields: slow.slice(0, 100).map(({ field }) => ({ field, code: 'schema_too_slow', detail: TOO_SLOW })),
    })
  const fields = found.flatMap((faults) => faults!.fields)
  if (fields.length === 0) return
  const count = found.reduce((sum, faults) => sum + faults!.count, 0)
  throw new AppError('attributes_invalid', sentenceOfFaults({ fields, count }), { fields: fields.slice(0, 100) })
}

/** The first of some faults, and how many there are. */
export const sentenceOfFaults = ({ fields, count }: Faults): string =>
  `${fields[0]!.field}: ${fields[0]!.detail}${count > 1 ? ` In all, ${count} attributes are wrong.` : ''}`
