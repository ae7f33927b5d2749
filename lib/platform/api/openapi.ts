import type { z } from 'zod'
import { RELEASE } from '../../core/release.ts'
import type { Endpoint } from './endpoint.ts'
import { AREAS } from './openapi/areas.ts'
import { failuresOf, HEADERS, parametersOfHeaders, successOf } from './openapi/answers.ts'
import { parameterDescriptionOf } from './openapi/descriptions.ts'
import { problemSchema } from './openapi/problems.ts'
import { formSchemaOf, type Json, schemaOf } from './openapi/schemas.ts'
import { webhooksOf } from './openapi/webhooks.ts'

/** The two APIs, public and administrative. Every endpoint belongs to one, by its path. */
export type Interface = 'public' | 'admin'
export const interfaceOf = (endpoint: Endpoint): Interface =>
  endpoint.path.startsWith('/public/') ? 'public' : 'admin'

const ABOUT = {
  public: {
    title: 'Vitrine public API',
    description:
      'Collections, items, claims and vouchers that anyone may read and redeem. ' +
      'No key is needed and any browser origin may call. ' +
      'Reads carry an ETag; every POST takes an Idempotency-Key of at least 22 characters. ' +
      'Reads take a filter in the singular, in the plural and with `[]`, ' +
      'and refuse other names that are near one of theirs; writes refuse every unknown one.',
  },
  admin: {
    title: 'Vitrine administrative API',
    description:
      'Everything the dashboard can do, for programs. Send a key as `Authorization: ' +
      'Bearer <key>` or `X-Api-Key: <key>`. ' +
      'Lists are paged by opaque cursors, every POST takes an Idempotency-Key, ' +
      'and an id of another organization is answered like an unknown one. ' +
      'Unknown query parameters are refused, and of writes empty ones too. ' +
      'Lists take `state` for `status` and `status` for `state`.',
  },
} satisfies Record<Interface, Json>

/**
 * The OpenAPI 3.1 document of one of the two APIs, as a JSON value. Schemas with a name (`.meta({ id })`) become
 * components. Its version is the release's. The administrative one has the events that webhooks get, too.
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
  const webhooks = which === 'admin' ? webhooksOf(schemas) : undefined
  return {
    openapi: '3.1.0',
    info: { ...ABOUT[which], version: RELEASE, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: which === 'public' ? `${origin}/public` : origin }],
    tags: [...new Set(endpoints.map(({ area }) => area))].map((area) => ({
      name: words(area),
      description: AREAS[words(area)],
    })),
    paths,
    ...(webhooks && { webhooks }),
    components: {
      schemas: Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => a.localeCompare(b))),
      headers: HEADERS,
      ...(which === 'admin' && { securitySchemes: SECURITY_SCHEMES }),
    },
  }
}

const SECURITY_SCHEMES = {
  bearer: { type: 'http', scheme: 'bearer', description: 'An API key: `Authorization: Bearer vt_test_…`.' },
  api_key: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Api-Key',
    description: 'The same key in a header of its own.',
  },
}

function operation(endpoint: Endpoint, schemas: Json, origin: string): Json {
  return {
    operationId: operationId(endpoint),
    tags: [words(endpoint.area)],
    summary: endpoint.summary,
    ...(describe(endpoint) && { description: describe(endpoint) }),
    security: endpoint.auth === 'api_key' ? [{ bearer: [] }, { api_key: [] }] : [],
    parameters: [
      ...parameters('path', endpoint, schemas),
      ...parameters('query', endpoint, schemas),
      ...parametersOfHeaders(endpoint),
    ],
    ...(endpoint.body && { requestBody: requestBody(endpoint, endpoint.body, schemas) }),
    responses: { ...successOf(endpoint, schemas), ...failuresOf(endpoint, origin) },
    'x-id': endpoint.id,
  }
}

const requestBody = ({ id, example, upload }: Endpoint, body: z.ZodType, schemas: Json): Json => ({
  required: !body.safeParse({}).success,
  content: {
    'application/json': {
      schema: schemaOf(body, 'request', schemas, id),
      ...(example !== undefined && { example }),
    },
    ...(upload && { 'multipart/form-data': { schema: formSchemaOf(body, schemas, id) } }),
  },
})

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

function parameters(place: 'path' | 'query', endpoint: Endpoint, schemas: Json): Json[] {
  const object = place === 'path' ? endpoint.params : endpoint.query
  return Object.entries((object?.shape ?? {}) as Record<string, z.ZodType>).map(([name, type]) => {
    const { description: own, ...schema } = schemaOf(type, 'request', schemas, name)
    const description = own ?? parameterDescriptionOf(endpoint.id, place, name, schema)
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
