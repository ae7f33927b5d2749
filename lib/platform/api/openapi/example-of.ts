import { RECORDS } from './examples.ts'
import { EXAMPLES } from './field-examples.ts'
import { isObject, type Json, namedBy } from './schemas.ts'

/** Stands where nobody gave an example; a test looks for it. */
export const MISSING = '…'

/**
 * An example of a response's schema: of each field the value that the story gives it (by the name of its record or
 * operation, else by its own name), else one that its type allows. Optional fields are left out unless the story has
 * them.
 */
export function exampleOf(schema: Json, owner: string, schemas: Json): unknown {
  const own = RECORDS[owner]
  if (own !== undefined && !isObject(own)) return own
  const name = namedBy(schema)
  if (name !== undefined) return exampleOf(schemas[name] as Json, name, schemas)
  if (isObject(schema.properties)) return recordOf(schema, owner, schemas)
  const union = (schema.anyOf ?? schema.oneOf) as Json[] | undefined
  if (union) return exampleOf(union[0]!, owner, schemas)
  if ('example' in schema) return schema.example
  if ('const' in schema) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[0]
  const types = [schema.type].flat()
  if (types.includes('null')) return null
  if (types.includes('array')) return isObject(schema.items) ? [exampleOf(schema.items, owner, schemas)] : []
  if (types.includes('object')) return {}
  if (types.includes('boolean')) return false
  if (types.includes('integer') || types.includes('number')) return 0
  return schema.type === undefined ? null : MISSING
}

function recordOf(schema: Json, owner: string, schemas: Json): Json {
  const told = (RECORDS[owner] ?? {}) as Json
  const required = (schema.required ?? []) as string[]
  const fields = Object.entries(schema.properties as Record<string, Json>).flatMap(([name, field]) => {
    if (name in told) return [[name, told[name]]]
    if (name in EXAMPLES) return [[name, EXAMPLES[name]]]
    if (!required.includes(name)) return []
    return [[name, isNull(field, schemas) ? null : exampleOf(field, name, schemas)]]
  })
  return Object.fromEntries(fields) as Json
}

/** Whether a field is null in an example that the story says nothing of: it may be, and isn't a record. */
function isNull(schema: Json, schemas: Json): boolean {
  const isRecord = (one: Json) => 'properties' in ((schemas[namedBy(one) ?? ''] as Json | undefined) ?? one)
  const union = (schema.anyOf ?? []) as Json[]
  return [schema.type].flat().includes('null') || (union.some(({ type }) => type === 'null') && !union.some(isRecord))
}
