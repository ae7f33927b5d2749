import { z } from 'zod'
import { count, json, timestamp, uint } from '../../../core/wire.ts'
import { descriptionOf } from './descriptions.ts'

export type Json = { [name: string]: unknown }
/** Requests accept several forms of some values (an amount as string or integer); responses have one. */
export type Direction = 'request' | 'response'

const PREFIX = '#/components/schemas/'
export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
/** The name of the component that a schema refers to. */
export const namedBy = (schema: Json): string | undefined =>
  typeof schema.$ref === 'string' ? schema.$ref.slice(PREFIX.length) : undefined

/**
 * A zod type as JSON Schema. Its named parts are added to `schemas` and referenced by `$ref`. `owner` is the operation
 * or parameter list whose schema it is; descriptions may depend on it.
 */
export function schemaOf(type: z.ZodType, direction: Direction, schemas: Json, owner: string): Json {
  const {
    $schema: _,
    $defs = {},
    ...own
  } = z.toJSONSchema(type, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => simplify(zodSchema as unknown as z.ZodType, jsonSchema as Json, direction),
  }) as Json & { $defs?: Record<string, Json> }
  const parts = Object.entries($defs).map(([name, schema]) => [name, described(schema, name)] as const)
  const names = new Map(parts.map(([name, schema]) => [name, nameFor(name, schema, schemas)]))
  for (const [name, schema] of parts) schemas[names.get(name) ?? name] = renamed(schema, names)
  const named = typeof own.id === 'string' ? own.id : undefined
  const { id: __, ...rest } = renamed(described(own, named ?? owner), names)
  if (named === undefined) return rest
  const name = nameFor(named, rest, schemas)
  schemas[name] = rest
  return { $ref: PREFIX + name }
}

/** A body's schema as multipart form, in which an upload is binary. */
export function formSchemaOf(body: z.ZodType, schemas: Json, owner: string): Json {
  const { properties = {}, ...schema } = schemaOf(body, 'request', schemas, owner) as Json & {
    properties?: Record<string, Json>
  }
  const parts = Object.entries(properties).map(([name, part]) => [
    name,
    namedBy(part) === 'Upload' ? { type: 'string', format: 'binary', description: part.description } : part,
  ])
  return { ...schema, properties: Object.fromEntries(parts) }
}

/**
 * The component name of a schema. Where requests and responses differ, the second schema of a name gets the suffix
 * Form.
 */
function nameFor(name: string, schema: Json, schemas: Json): string {
  const known = schemas[name]
  return known === undefined || JSON.stringify(known) === JSON.stringify(renamed(schema, new Map()))
    ? name
    : `${name}Form`
}

function renamed(schema: Json, names: Map<string, string>): Json {
  const text = JSON.stringify(schema).replaceAll(
    /"#\/\$defs\/([^"]+)"/g,
    (_, name: string) => `"${PREFIX}${names.get(name) ?? name}"`,
  )
  return JSON.parse(text) as Json
}

/** Descriptions of whole kinds of values. The description of a field's name says more. */
const GENERAL = new Set([timestamp, uint, count].map((type) => type.description))

/** The schema with a description for each field. `owner` is the name of the schema, or the field that it describes. */
function described(schema: Json, owner: string): Json {
  const { properties, ...rest } = schema
  const inner = Object.entries(rest).map(([keyword, value]) => {
    if (keyword === 'items' || keyword === 'additionalProperties')
      return [keyword, isObject(value) ? described(value, owner) : value]
    if (keyword === 'anyOf' || keyword === 'oneOf' || keyword === 'allOf')
      return [keyword, (value as Json[]).map((one) => described(one, owner))]
    return [keyword, value]
  })
  if (!isObject(properties)) return Object.fromEntries(inner) as Json
  const fields = Object.entries(properties as Record<string, Json>).map(([name, value]) => {
    const own = typeof value.description === 'string' && !GENERAL.has(value.description) ? value.description : undefined
    const description = own ?? descriptionOf(owner, name, value) ?? value.description
    return [name, { ...described(value, name), ...(description !== undefined && { description }) }]
  })
  return { ...(Object.fromEntries(inner) as Json), properties: Object.fromEntries(fields) as Json }
}

/**
 * Removes redundant keywords that zod writes. In responses, numbers with several request forms are reduced to the one
 * sent.
 */
function simplify(type: z.ZodType, schema: Json, direction: Direction): void {
  delete schema.commas
  if (schema.format === 'uuid' || schema.format === 'date-time') delete schema.pattern
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  // TypeScript refuses a type that is a list of itself, unless an object is between.
  if ((type._zod.def as { element?: z.ZodType }).element === json) schema.items = {}
  if (!Array.isArray(schema.anyOf)) return
  if (schema.id === 'Upload') onlyAsJson(schema as Json & { anyOf: Json[] })
  if (direction === 'request') return
  const pipe = type._zod.def as { type: string; out?: z.ZodType }
  if (pipe.type !== 'pipe' || pipe.out?._zod.def.type !== 'bigint') return
  delete schema.anyOf
  Object.assign(
    schema,
    typeof z.encode(type, 0n) === 'string' ? { type: 'string', pattern: '^\\d+$' } : { type: 'integer', minimum: 0 },
  )
}

/** An upload's form of a multipart request has no JSON Schema; `formSchemaOf` writes it. */
function onlyAsJson(schema: Json & { anyOf: Json[] }): void {
  const { anyOf, ...rest } = schema
  for (const keyword of Object.keys(schema)) delete schema[keyword]
  Object.assign(
    schema,
    anyOf.find(({ type }) => type === 'object'),
    rest,
  )
}
