import { z } from 'zod'
import { ERRORS, type ErrorCode } from '../../core/errors.ts'
import { json } from '../../core/wire.ts'
import type { Endpoint } from './endpoint.ts'

type Json = { [name: string]: unknown }
/** Requests accept several forms of some values (an amount as string or integer); responses have one. */
type Direction = 'request' | 'response'

/** The two APIs, public and administrative. Every endpoint belongs to one, by its path. */
export type Interface = 'public' | 'admin'
export const interfaceOf = (endpoint: Endpoint): Interface =>
  endpoint.path.startsWith('/public/') ? 'public' : 'admin'

const ABOUT = {
  public: {
    title: 'Vitrine public API',
    description:
      'Collections, items, claims and vouchers that anyone may read and redeem. No key is needed and any browser origin may call. ' +
      'Reads carry an ETag; every POST takes an Idempotency-Key of at least 22 characters.',
  },
  admin: {
    title: 'Vitrine administrative API',
    description:
      'Everything the dashboard can do, for programs. Send a key as `Authorization: Bearer <key>` or `X-Api-Key: <key>`. ' +
      'Lists are paged by opaque cursors, every POST takes an Idempotency-Key, and an id of another organization is answered like an unknown one.',
  },
} satisfies Record<Interface, Json>

/**
 * The OpenAPI 3.1 document of one of the two APIs, as a JSON value. Schemas with a name (`.meta({ id })`) become components.
 * @param origin the installation's URL without a trailing slash, for `servers` and error types.
 */
export function openapi(all: readonly Endpoint[], which: Interface, origin: string): Json {
  const schemas: Json = { Problem: problemSchema }
  const paths: Record<string, Json> = {}
  const endpoints = all.filter((endpoint) => interfaceOf(endpoint) === which)
  for (const endpoint of endpoints) {
    const path = which === 'public' ? endpoint.path.replace(/^\/public/, '') : endpoint.path
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint, schemas, origin) }
  }
  return {
    openapi: '3.1.0',
    info: { ...ABOUT[which], version: '1' },
    servers: [{ url: which === 'public' ? `${origin}/public` : origin }],
    tags: [...new Set(endpoints.map((endpoint) => endpoint.area))].map((name) => ({ name: words(name) })),
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => a.localeCompare(b))),
      ...(which === 'admin' && {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'An API key: `Authorization: Bearer vt_test_…`.' },
          api_key: {
            type: 'apiKey',
            in: 'header',
            name: 'X-Api-Key',
            description: 'The same key in a header of its own.',
          },
        },
      }),
    },
  }
}

function operation(endpoint: Endpoint, schemas: Json, origin: string): Json {
  const status = String(endpoint.status ?? 200)
  const type = endpoint.contentType ?? 'application/json'
  const done =
    status === '204'
      ? { description: 'Done; nothing comes back.' }
      : { description: 'Done.', content: { [type]: { schema: schemaOf(endpoint.response, 'response', schemas) } } }
  return {
    operationId: operationId(endpoint),
    tags: [words(endpoint.area)],
    summary: endpoint.summary,
    ...(describe(endpoint) && { description: describe(endpoint) }),
    security: endpoint.auth === 'api_key' ? [{ bearer: [] }, { api_key: [] }] : [],
    parameters: [
      ...parameters('path', endpoint.params, schemas),
      ...parameters('query', endpoint.query, schemas),
      ...(endpoint.method === 'POST' ? [idempotencyKey(endpoint)] : []),
    ],
    ...(endpoint.body && {
      requestBody: {
        required: !endpoint.body.safeParse({}).success,
        content: {
          'application/json': {
            schema: schemaOf(endpoint.body, 'request', schemas),
            ...(endpoint.example !== undefined && { example: endpoint.example }),
          },
          ...(endpoint.upload && { 'multipart/form-data': { schema: formSchemaOf(endpoint.body, schemas) } }),
        },
      },
    }),
    responses: { [status]: { ...done, headers: { 'Request-Id': requestIdHeader } }, ...failures(endpoint, origin) },
    'x-id': endpoint.id,
  }
}

const describe = (endpoint: Endpoint): string =>
  [endpoint.description, endpoint.permission && `Needs the permission \`${endpoint.permission}\`.`]
    .filter(Boolean)
    .join('\n\n')

const words = (area: string): string => area.charAt(0).toUpperCase() + area.slice(1).replaceAll(/[_-]/g, ' ')

/** The operationId, derived from method and path: `GET /v1/items/{item_id}` is getV1ItemsItemId. */
const operationId = (endpoint: Endpoint): string =>
  endpoint.method.toLowerCase() +
  endpoint.path
    .split(/[^A-Za-z0-9]+/)
    .filter((part) => part && part !== 'public')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('')

const requestIdHeader = { description: 'Names this request in our logs.', schema: { type: 'string' } }

const idempotencyKey = (endpoint: Endpoint): Json => ({
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'The same key and body within 24 hours: the stored answer again, with `Idempotent-Replayed: true`.',
  schema: { type: 'string', minLength: endpoint.auth === 'api_key' ? 1 : 22, maxLength: 255 },
})

function parameters(place: 'path' | 'query', object: z.ZodObject | undefined, schemas: Json): Json[] {
  return Object.entries((object?.shape ?? {}) as Record<string, z.ZodType>).map(([name, type]) => {
    const { description, ...schema } = schemaOf(type, 'request', schemas)
    const list = schema.type === 'array'
    return {
      name,
      in: place,
      required: place === 'path' || !type.safeParse(undefined).success,
      ...(typeof description === 'string' && { description }),
      ...(place === 'query' && list && { style: 'form', explode: true }),
      schema,
    }
  })
}

const ALWAYS: readonly ErrorCode[] = ['rate_limited', 'internal', 'unavailable', 'overloaded']

/** The error responses by status: every code this operation may give, with an example body each. */
function failures(endpoint: Endpoint, origin: string): Json {
  const validated = endpoint.body || endpoint.query ? (['invalid_request'] as const) : []
  const body = endpoint.body ? (['body_too_large', 'unsupported_media_type'] as const) : []
  const keyed = endpoint.auth === 'api_key' ? (['unauthenticated', 'forbidden'] as const) : []
  const moded = endpoint.auth === 'api_key' && endpoint.method !== 'GET' ? (['mode_mismatch'] as const) : []
  const written = endpoint.method === 'GET' ? [] : (['maintenance'] as const)
  const named = endpoint.params ? (['not_found'] as const) : []
  const paged = endpoint.query && 'cursor' in endpoint.query.shape ? (['invalid_cursor'] as const) : []
  const repeated = endpoint.method === 'POST' ? (['idempotency_mismatch', 'idempotency_in_flight'] as const) : []
  const codes = new Set<ErrorCode>([
    ...validated,
    ...paged,
    ...keyed,
    ...moded,
    ...written,
    ...named,
    ...(endpoint.errors ?? []),
    ...body,
    ...repeated,
    ...ALWAYS,
  ])
  const byStatus = Map.groupBy(codes, (code) => ERRORS[code][0])
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, of]) => [
        String(status),
        {
          description: of.map((code) => `\`${code}\`: ${ERRORS[code][1]}`).join('  \n'),
          headers: { 'Request-Id': requestIdHeader },
          content: {
            'application/problem+json': {
              schema: { $ref: '#/components/schemas/Problem' },
              examples: Object.fromEntries(of.map((code) => [code, { value: problemExample(code, origin) }])),
            },
          },
        },
      ]),
  )
}

function problemExample(code: ErrorCode, origin: string): Json {
  const [status, title] = ERRORS[code]
  const detail = `${title}.`
  return {
    type: `${origin}/docs/errors#${code}`,
    title,
    status,
    detail,
    code,
    request_id: '0193…',
    errors: [],
    error: { code, detail },
  }
}

const problemSchema: Json = {
  type: 'object',
  description:
    'Every failure: an RFC 9457 problem. `error` repeats code and detail for clients that expect such an object.',
  required: ['type', 'title', 'status', 'detail', 'code', 'request_id', 'errors', 'error'],
  properties: {
    type: { type: 'string', format: 'uri' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { type: 'string', enum: Object.keys(ERRORS) },
    request_id: { type: 'string' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['field', 'code', 'detail'],
        properties: { field: { type: 'string' }, code: { type: 'string' }, detail: { type: 'string' } },
      },
    },
    error: {
      type: 'object',
      required: ['code', 'detail'],
      properties: { code: { type: 'string' }, detail: { type: 'string' } },
    },
  },
}

type Defs = Record<string, Json>

/** A body's schema as multipart form, in which an upload is binary. */
function formSchemaOf(body: z.ZodType, schemas: Json): Json {
  const { properties = {}, ...schema } = schemaOf(body, 'request', schemas) as Json & {
    properties?: Record<string, Json>
  }
  const parts = Object.entries(properties).map(([name, part]) => [
    name,
    part.$ref === '#/components/schemas/Upload' ? { type: 'string', format: 'binary' } : part,
  ])
  return { ...schema, properties: Object.fromEntries(parts) }
}

/** A zod type as JSON Schema. Its named parts are added to `schemas` and referenced by `$ref`. */
function schemaOf(type: z.ZodType, direction: Direction, schemas: Json): Json {
  const {
    $schema: _,
    $defs = {},
    ...own
  } = z.toJSONSchema(type, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => simplify(zodSchema as unknown as z.ZodType, jsonSchema as Json, direction),
  }) as Json & { $defs?: Defs }
  const names = new Map<string, string>()
  for (const [name, schema] of Object.entries($defs)) names.set(name, nameFor(name, schema, schemas))
  for (const [name, schema] of Object.entries($defs)) schemas[names.get(name) ?? name] = renamed(schema, names)
  const { id: named, ...rest } = renamed(own, names)
  if (typeof named !== 'string') return rest
  const name = nameFor(named, rest, schemas)
  schemas[name] = rest
  return { $ref: `#/components/schemas/${name}` }
}

/** The component name of a schema. Where requests and responses differ, the second schema of a name gets the suffix Form. */
function nameFor(name: string, schema: Json, schemas: Json): string {
  const known = schemas[name]
  return known === undefined || JSON.stringify(known) === JSON.stringify(renamed(schema, new Map()))
    ? name
    : `${name}Form`
}

function renamed(schema: Json, names: Map<string, string>): Json {
  const text = JSON.stringify(schema).replaceAll(
    /"#\/\$defs\/([^"]+)"/g,
    (_, name: string) => `"#/components/schemas/${names.get(name) ?? name}"`,
  )
  return JSON.parse(text) as Json
}

/** Removes redundant keywords that zod writes. In responses, numbers with several request forms are reduced to the one sent. */
function simplify(type: z.ZodType, schema: Json, direction: Direction): void {
  delete schema.commas
  if (schema.format === 'uuid' || schema.format === 'date-time') delete schema.pattern
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  // TypeScript refuses a type that is a list of itself, unless an object is between.
  if ((type._zod.def as { element?: z.ZodType }).element === json) schema.items = {}
  if (direction === 'request' || !Array.isArray(schema.anyOf)) return
  const pipe = type._zod.def as { type: string; out?: z.ZodType }
  if (pipe.type !== 'pipe' || pipe.out?._zod.def.type !== 'bigint') return
  delete schema.anyOf
  Object.assign(
    schema,
    typeof z.encode(type, 0n) === 'string' ? { type: 'string', pattern: '^\\d+$' } : { type: 'integer', minimum: 0 },
  )
}
