import { expect, test } from 'vitest'
import { endpoints } from '../../lib/platform/api/index.ts'
import { openapi } from '../../lib/platform/api/openapi.ts'

type Json = any // the documents are inspected untyped
const documents: Json[] = (['public', 'admin'] as const).map((which) => openapi(endpoints, which, 'https://a.example'))

/** Each field of each schema and each parameter, with where it stands. */
function eachField(visit: (name: string, schema: Json, at: string) => void): void {
  const walk = (node: Json, at: string): void => {
    if (typeof node !== 'object' || node === null) return
    if (node.in && node.schema) visit(node.name, { ...node.schema, description: node.description }, at)
    for (const [key, value] of Object.entries<Json>(node)) {
      if (key === 'properties' && !('in' in node) && typeof value === 'object')
        for (const [name, schema] of Object.entries<Json>(value)) visit(name, schema, `${at}.${name}`)
      if (key !== 'example' && key !== 'examples') walk(value, `${at}.${key}`)
    }
  }
  for (const document of documents) walk({ paths: document.paths, components: document.components }, '')
}

const resolved = (schema: Json): Json =>
  schema.$ref ? resolved({ ...documents.map((each) => at(each, schema.$ref)).find(Boolean) }) : schema
const at = (document: Json, ref: string): Json =>
  ref
    .split('/')
    .slice(1)
    .reduce((node, name) => node?.[name], document)

const isNullable = (schema: Json): boolean => {
  const { type, anyOf = [], oneOf = [], enum: values, ...rest } = resolved(schema)
  if (Object.keys(rest).every((key) => key === 'description') && !type && anyOf.length + oneOf.length === 0 && !values)
    return true // anything
  return [type].flat().includes('null') || [...anyOf, ...oneOf].some(isNullable) || Boolean(values?.includes(null))
}

test('a description says what null means only where null can be', () => {
  const wrong: string[] = []
  eachField((_, schema, where) => {
    if (/\bnull\b/i.test(schema.description ?? '') && !isNullable(schema)) wrong.push(`${where}: ${schema.description}`)
  })
  expect(wrong).toEqual([])
})

test('fields of one name share a description only where all are lists, all are objects, or all are single values', () => {
  const kinds = new Map<string, Set<string>>()
  eachField((name, schema, where) => {
    if (where.includes('multipart/form-data')) return // where a file is a part of its own
    const { type, properties, anyOf = [], oneOf = [] } = resolved(schema)
    const all = [{ type, properties }, ...[...anyOf, ...oneOf].map(resolved)].flatMap((each) => each.type ?? [])
    const kind = all.includes('array') ? 'list' : all.includes('object') ? 'object' : 'value'
    const key = `${name}: ${schema.description}`
    if (schema.description && all.length > 0) kinds.set(key, (kinds.get(key) ?? new Set()).add(kind))
  })
  expect([...kinds].filter(([, each]) => each.size > 1).map(([key]) => key)).toEqual([])
})
