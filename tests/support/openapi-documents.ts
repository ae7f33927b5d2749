import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { endpoints } from '../../lib/platform/api/index.ts'
import { type Interface, openapi } from '../../lib/platform/api/openapi.ts'

export type Json = any // tests inspect documents untyped

const ORIGIN = 'https://vitrine.example'
export const INTERFACES = ['public', 'admin'] as const satisfies readonly Interface[]

/**
 * A schema in which records with named fields have no others, so that a field that the document lacks is found.
 * References are to schemas of their own.
 */
function closed(node: Json): Json {
  if (Array.isArray(node)) return node.map(closed)
  if (typeof node !== 'object' || node === null) return node
  const copy = Object.fromEntries(Object.entries(node).map(([name, value]) => [name, closed(value)]))
  if (typeof node.$ref === 'string') copy.$ref = node.$ref.replace('#/components/schemas/', 'vitrine:')
  const isRecord = node.type === 'object' && typeof node.properties === 'object'
  return isRecord && node.additionalProperties === undefined ? { ...copy, additionalProperties: false } : copy
}

const FORMATS = {
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/,
  email: /^[^\s@]+@[^\s@]+$/,
  base64: /^[A-Za-z0-9+/]*=*$/,
  ipv6: /^[\da-f:.]+$/i,
  uri: (text: string) => URL.canParse(text),
}

function read(which: Interface) {
  const document = openapi(endpoints, which, ORIGIN) as Json
  const ajv = new Ajv2020({ strict: false, formats: FORMATS }) // a document's own keywords aren't JSON Schema's
  for (const [name, schema] of Object.entries<Json>(document.components.schemas))
    ajv.addSchema(closed(schema), `vitrine:${name}`)
  const known = new Map<string, ValidateFunction>()
  /** What is wrong with a value by a schema of the document; empty when nothing is. */
  const errorsOf = (schema: Json, value: unknown): string => {
    const text = JSON.stringify(schema)
    const validate = known.get(text) ?? ajv.compile(closed(schema))
    known.set(text, validate)
    return validate(value) ? '' : ajv.errorsText(validate.errors, { dataVar: '' })
  }
  return { document, errorsOf }
}

// Test files share a process, and compiling the schemas takes a second.
const shared = globalThis as { testDocuments?: Map<Interface, ReturnType<typeof read>> }
const documents = (shared.testDocuments ??= new Map())
/** One of the two documents. */
export function documentOf(which: Interface): ReturnType<typeof read> {
  const document = documents.get(which) ?? read(which)
  documents.set(which, document)
  return document
}

/** An operation of a document, by its endpoint's id. */
export type Operation = { id: string; operation: Json }

export const operationsOf = (which: Interface): Operation[] =>
  Object.values<Json>(documentOf(which).document.paths).flatMap((methods) =>
    Object.values<Json>(methods).map((operation) => ({ id: operation['x-id'] as string, operation })),
  )
