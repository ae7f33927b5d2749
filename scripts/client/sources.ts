import { ERRORS } from '../../lib/core/errors.ts'
import { EVENT_TYPES } from '../../lib/platform/api/events.ts'
import { endpoints, operations } from '../../lib/platform/api/index.ts'
import { type Interface, interfaceOf, openapi } from '../../lib/platform/api/openapi.ts'
import { docText, type Schema, typeText } from './type-text.ts'

type Operation = {
  summary: string
  description?: string
  parameters: { name: string; in: string; required: boolean; schema: Schema; description?: string }[]
  requestBody?: { required: boolean; content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
  'x-id': string
}
type Document = {
  paths: Record<string, Record<string, Operation>>
  /** The bodies that webhooks get, by the type of the event, where the document has them. */
  webhooks?: Record<string, { post: Pick<Operation, 'requestBody'> }>
  components: { schemas: Record<string, Schema> }
}

const HEAD = '// Written from the endpoint values (scripts/build-client.ts).\n'

/** The files of the client that are written from the endpoint values, by name: the API's types, and the two entries. */
export function generatedSources(): Record<string, string> {
  return {
    'api.ts': apiSource(),
    'public-api.ts': operationsSource('public'),
    'admin-api.ts': operationsSource('admin'),
    'public.ts': publicEntry,
    'index.ts': adminEntry,
  }
}

const apiSource = () => `${HEAD}
export type ErrorCode = ${unionText(Object.keys(ERRORS))}
export type FieldError = { field: string; code: string; detail: string }
export type { EventData, EventType } from './admin-api.ts'
`

const unionText = (words: readonly string[]) => words.map((word) => `\n  | '${word}'`).join('')

const publicEntry = `${HEAD}
import { type ClientOptions, clientOf } from './client.ts'
import { TABLE, type Operations } from './public-api.ts'

export * from './client.ts'
export type * from './public-api.ts'

/** A client of the public API, for pages too: no key is needed. */
export const createClient = (options: Omit<ClientOptions, 'key'> = {}): Operations => clientOf<Operations>(TABLE, options)
`

const adminEntry = `${HEAD}
import { TABLE, type Operations } from './admin-api.ts'
import { type ClientOptions, clientOf } from './client.ts'
import { TABLE as PUBLIC_TABLE, type Operations as PublicOperations } from './public-api.ts'

export * from './client.ts'
export * from './webhooks.ts'
export type { EventType } from './admin-api.ts' // the one before has it as well
export type * from './admin-api.ts'

/** A client of both APIs, for servers: its key must not reach a browser. */
export const createClient = (options: ClientOptions & { key: string }): Operations & PublicOperations =>
  clientOf<Operations & PublicOperations>({ ...PUBLIC_TABLE, ...TABLE }, options)
`

/**
 * The operations of one of the two APIs: a table of methods, paths and query parameters, and their types as the OpenAPI
 * document has them.
 */
function operationsSource(which: Interface): string {
  const document = openapi(endpoints, which, '') as unknown as Document
  const described = new Map(
    Object.values(document.paths)
      .flatMap((path) => Object.values(path))
      .map((operation) => [operation['x-id'], operation]),
  )
  const own = [...operations].filter(([, endpoint]) => interfaceOf(endpoint) === which)
  const rows = own.map(
    ([name, { method, path, query }]) =>
      `  ${name}: ['${method}', '${path}', '${Object.keys(query?.shape ?? {}).join(' ')}'],`,
  )
  const methods = own.map(([name, { id }]) => methodText(name, described.get(id)!))
  const schemas = Object.entries(document.components.schemas)
    .filter(([name]) => name !== 'Problem')
    .map(([name, schema]) => `${docText(schema)}export type ${name} = ${typeText(schema)}`)
  return `${HEAD}
import type { CallOptions, Table } from './client.ts'

export const TABLE: Table = {
${rows.join('\n')}
}

export interface Operations {
${methods.join('\n')}
}
${which === 'admin' ? eventsSource(document) : ''}
${schemas.join('\n\n')}
`
}

/** The data of each event. */
export function eventsSource({ webhooks = {} }: Pick<Document, 'webhooks'>): string {
  const fields = EVENT_TYPES.map((type) => {
    const { schema } = webhooks[type]?.post.requestBody?.content['application/json'] ?? {}
    const { data } = (schema?.properties ?? {}) as { data?: Schema }
    return `'${type}': ${data ? typeText(data) : '{ [name: string]: unknown }'}`
  })
  return `
export interface EventData {
${fields.join('\n')}
}
`
}

function methodText(name: string, operation: Operation): string {
  const part = (place: string) => {
    const parameters = operation.parameters.filter((parameter) => parameter.in === place)
    const fields = parameters.map(
      ({ name: field, required, schema, description }) =>
        `${docText({ description })}${field}${required ? '' : '?'}: ${typeText(schema)}${required ? '' : ' | null | undefined'}`,
    )
    const isNeeded = parameters.some(({ required }) => required)
    return { text: fields.length > 0 ? `{\n${fields.join('\n')}\n}` : '', isNeeded }
  }
  const { requestBody } = operation
  const content = requestBody?.content ?? {}
  const body = content['application/json'] ? typeText(content['application/json'].schema) : ''
  const parts = [
    { key: 'params', ...part('path') },
    { key: 'query', ...part('query') },
    {
      key: 'body',
      text: 'multipart/form-data' in content ? `${body} | FormData` : body,
      isNeeded: requestBody?.required ?? false,
    },
  ].filter(({ text }) => text)
  const input = parts.map(({ key, text, isNeeded }) => `${key}${isNeeded ? '' : '?'}: ${text}`).join('; ')
  const mark = parts.some(({ isNeeded }) => isNeeded) ? '' : '?'
  const { summary, description } = operation
  const doc = docText({ description: [summary, description].filter(Boolean).join('. ') })
  return `${doc}${name}: (input${mark}: { ${input} }, options?: CallOptions) => Promise<${answerText(operation)}>`
}

/** The type of a call's result: JSON, nothing, or the Response itself where it is a file. */
function answerText({ responses }: Operation): string {
  const [, done] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? []
  if (!done?.content) return 'void'
  const json = done.content['application/json']
  return json ? typeText(json.schema) : 'Response'
}
