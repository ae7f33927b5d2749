import { ERRORS } from '../../../core/errors.ts'
import type { Endpoint } from '../endpoint.ts'
import { exampleOf } from './example-of.ts'
import { codesOf, isConditional, meaningOf, problemExample } from './problems.ts'
import { type Json, schemaOf } from './schemas.ts'

const header = (description: string, example: string | number, type = 'string'): Json => ({
  description,
  schema: { type },
  example,
})

/** The headers of responses, as components. */
export const HEADERS = {
  RequestId: header(
    'Names this request in our logs and in the audit log: the `Request-Id` that was sent, or a new one.',
    '0199a9e0-a1e5-7d48-8a09-e3afb0c1d239',
  ),
  ETag: header(
    'Identifies this content. Send it as If-None-Match to get 304 while it is the same, ' +
      'and as If-Match to change only that.',
    '"Yk3vQ0bL2fGx"',
  ),
  RateLimit: header(
    'What is left of the limit: `r` requests within the next `t` seconds. Absent where the limit is switched off.',
    '"admin";r=598;t=42',
  ),
  RateLimitPolicy: header('The limit: `q` requests in `w` seconds.', '"admin";q=600;w=60'),
  RetryAfter: header('How many seconds to wait before the next try. Absent where waiting doesn’t help.', 5, 'integer'),
  IdempotentReplayed: header('`true` on the stored answer to an earlier request with this Idempotency-Key.', 'true'),
} satisfies Json

const NAMES = {
  RequestId: 'Request-Id',
  ETag: 'ETag',
  RateLimit: 'RateLimit',
  RateLimitPolicy: 'RateLimit-Policy',
  RetryAfter: 'Retry-After',
  IdempotentReplayed: 'Idempotent-Replayed',
} satisfies Record<keyof typeof HEADERS, string>

const contentDisposition = header('The name under which to save the file.', 'attachment; filename="items.csv"')

const ALWAYS = ['RequestId', 'RateLimit', 'RateLimitPolicy'] as const
const headers = (...names: (keyof typeof HEADERS)[]): Json =>
  Object.fromEntries([...ALWAYS, ...names].map((name) => [NAMES[name], { $ref: `#/components/headers/${name}` }]))

/** Whether a response has an ETag: a read that isn't streamed. */
const isTagged = ({ method, stream }: Endpoint): boolean => method === 'GET' && !stream

/** The headers of a request that an operation heeds. */
export function parametersOfHeaders(endpoint: Endpoint): Json[] {
  if (isTagged(endpoint)) return [IF_NONE_MATCH]
  if (isConditional(endpoint)) return [IF_MATCH]
  return endpoint.method === 'POST' ? [idempotencyKey(endpoint)] : []
}

const IF_NONE_MATCH: Json = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'ETags of answers that you have: 304 without a body while the content is one of them.',
  schema: { type: 'string' },
}

const IF_MATCH: Json = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'ETags of reading this path: 412 `precondition_failed`, and nothing is changed, ' +
    'unless one of them is that of now. Without it the last write wins.',
  schema: { type: 'string' },
}

const idempotencyKey = (endpoint: Endpoint): Json => ({
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'The same key and body within 24 hours: the stored answer again, with `Idempotent-Replayed: true`.',
  schema: { type: 'string', minLength: endpoint.auth === 'api_key' ? 1 : 22, maxLength: 255 },
})

/** The responses of a request that succeeds, with an example. */
export function successOf(endpoint: Endpoint, schemas: Json): Json {
  const status = String(endpoint.status ?? 200)
  const type = endpoint.contentType ?? 'application/json'
  const replayed = endpoint.method === 'POST' ? (['IdempotentReplayed'] as const) : []
  if (status === '204') return { [status]: { description: 'Done; nothing comes back.', headers: headers(...replayed) } }
  const schema = schemaOf(endpoint.response, 'response', schemas, endpoint.id)
  const done = {
    description: 'Done.',
    headers: {
      ...headers(...replayed, ...(isTagged(endpoint) ? (['ETag'] as const) : [])),
      ...((endpoint.stream === true || endpoint.stream === 'file') && { 'Content-Disposition': contentDisposition }),
    },
    content: { [type]: { schema, example: exampleOf(schema, endpoint.id, schemas) } },
  }
  const unchanged = { description: 'The content is still one of If-None-Match.', headers: headers('ETag') }
  return { [status]: done, ...(isTagged(endpoint) && { 304: unchanged }) }
}

/**
 * The responses of a request that fails, by status: every code that this operation may answer, with an example each.
 */
export function failuresOf(endpoint: Endpoint, origin: string): Json {
  const byStatus = Map.groupBy(codesOf(endpoint), (code) => ERRORS[code][0])
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, codes]) => [
        String(status),
        {
          description: codes.map((code) => meaningOf(code, endpoint)).join('  \n'),
          headers: headers('RetryAfter'),
          content: {
            'application/problem+json': {
              schema: { $ref: '#/components/schemas/Problem' },
              examples: Object.fromEntries(
                codes.map((code) => [code, { value: problemExample(code, endpoint, origin) }]),
              ),
            },
          },
        },
      ]),
  )
}
