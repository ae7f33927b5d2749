import { ERRORS, type ErrorCode } from '../../../core/errors.ts'
import type { Endpoint } from '../endpoint.ts'
import { STORY } from '../story.ts'
import type { Json } from './schemas.ts'

const ALWAYS: readonly ErrorCode[] = [
  'url_too_long',
  'headers_too_large',
  'rate_limited',
  'internal',
  'unavailable',
  'overloaded',
]

/** Every code that an operation may answer: its own, and those that follow from what it takes. */
export function codesOf(endpoint: Endpoint): ErrorCode[] {
  const isKeyed = endpoint.auth === 'api_key'
  const isWrite = endpoint.method !== 'GET'
  return [
    ...new Set<ErrorCode>([
      ...(endpoint.query || isKeyed || isWrite ? (['invalid_request'] as const) : []),
      ...(endpoint.query && 'cursor' in endpoint.query.shape ? (['invalid_cursor'] as const) : []),
      ...(isKeyed ? (['unauthenticated', 'forbidden', 'passkey_required'] as const) : []),
      ...(isKeyed && isWrite ? (['mode_mismatch'] as const) : []),
      ...(isWrite ? (['maintenance'] as const) : []),
      ...(namesRow(endpoint) ? (['not_found'] as const) : []),
      ...(endpoint.errors ?? []),
      ...(isConditional(endpoint) ? (['precondition_failed'] as const) : []),
      ...(endpoint.body ? (['body_too_large', 'unsupported_media_type', 'request_timeout'] as const) : []),
      ...(endpoint.method === 'POST' ? (['idempotency_mismatch', 'idempotency_in_flight'] as const) : []),
      ...ALWAYS,
    ]),
  ]
}

/** Whether a write heeds If-Match. */
export const isConditional = ({ method }: Endpoint): boolean =>
  method === 'PATCH' || method === 'PUT' || method === 'DELETE'

/** Whether a part of its path names something that may not be there. Every address is there. */
export const namesRow = ({ params }: Endpoint): boolean =>
  Object.keys(params?.shape ?? {}).some((name) => name !== 'eth_address')

/** The meaning of a code in the answers of an operation. */
export const meaningOf = (code: ErrorCode, endpoint: Endpoint): string =>
  `\`${code}\`: ${ERRORS[code][1]}${code === 'not_found' && hasId(endpoint) ? FOREIGN : ''}`

const hasId = ({ params }: Endpoint): boolean => Object.keys(params?.shape ?? {}).some((name) => name.endsWith('_id'))
const FOREIGN = '. The same for an unknown id, a malformed one, and one of another organization.'

/** Sentences of the codes that most operations have. The others repeat their title. */
const DETAILS: Partial<Record<ErrorCode, string>> = {
  invalid_cursor: 'This cursor was not issued by this list.',
  unauthenticated: 'Send an API key: Authorization: Bearer <key>.',
  not_found: 'There is nothing here by that id.',
  rate_limited: 'Too many requests. Try again in 12 s.',
  internal: 'Something went wrong on our side. The request id helps us find it.',
  unavailable: 'The database does not answer right now. Try again in a moment.',
  precondition_failed: 'This changed since you read it. Read it again, then decide anew.',
  overloaded: 'Too many requests are in work right now. Nothing was changed. Try again in a moment.',
  maintenance: 'We are doing maintenance. Nothing was changed. Try again in a few minutes.',
  body_too_large: 'The body is larger than 1 MiB.',
  request_timeout: 'The request did not arrive in time.',
}

/** Members that some problems have beyond those of all. */
const EXTRAS: Partial<Record<ErrorCode, Json>> = {
  pin_wrong: { tries_left: 4 },
  limit_reached: { reason: 'LIMIT_REACHED' },
  listing_not_active: { listing_status: 'PAUSED' },
  not_eligible: { reason: 'NOT_ON_LIST' },
  purchase_open: { purchase_intent_id: STORY.purchase },
  purchases_open: { open_purchases: [{ expires_at: '2026-11-20T12:15:00.000Z' }] },
}

/** An example of a problem that an operation may answer. */
export function problemExample(code: ErrorCode, endpoint: Endpoint, origin: string): Json {
  const [status, title] = ERRORS[code]
  const fields = code === 'invalid_request' ? [{ field: fieldOf(endpoint), code: 'required', detail: REQUIRED }] : []
  const detail = fields[0] ? `${fields[0].field}: ${REQUIRED}` : (DETAILS[code] ?? `${title}.`)
  return {
    type: `${origin}/docs/errors#${code}`,
    title,
    status,
    detail,
    code,
    request_id: STORY.request,
    errors: fields,
    ...(code === 'forbidden' && endpoint.permission && { permission: endpoint.permission }),
    ...EXTRAS[code],
    error: { code, detail },
  }
}

const REQUIRED = 'This field is required.'
const fieldOf = ({ example, query }: Endpoint): string =>
  [...Object.keys(example ?? {}), ...Object.keys(query?.shape ?? {})][0] ?? 'body'

const text = (description: string, more: Json = {}): Json => ({ type: 'string', description, ...more })

export const problemSchema: Json = {
  type: 'object',
  description:
    'Every failure: an RFC 9457 problem. Some codes add members of their own, such as `tries_left` of `pin_wrong`.',
  additionalProperties: true,
  required: ['type', 'title', 'status', 'detail', 'code', 'request_id', 'errors', 'error'],
  properties: {
    type: text('The page about this code.', { format: 'uri' }),
    title: text('What the code means, for people.'),
    status: { type: 'integer', description: 'The HTTP status.' },
    detail: text('What went wrong, in a sentence that may be shown to people.'),
    code: text('The kind of failure, for programs. More are added over time.', { enum: Object.keys(ERRORS) }),
    request_id: text('The Request-Id of this response, for questions about it.'),
    errors: {
      type: 'array',
      description: 'The fields that are wrong; empty where it isn’t about fields.',
      items: {
        type: 'object',
        required: ['field', 'code', 'detail'],
        properties: {
          field: text('Which field: its path, joined by dots.'),
          code: text('What is wrong with it, for programs.'),
          detail: text('What is wrong with it, for people.'),
        },
      },
    },
    error: {
      type: 'object',
      description: 'Code and detail again, for clients that expect such an object.',
      required: ['code', 'detail'],
      properties: { code: text('The same code.'), detail: text('The same sentence.') },
    },
  },
}
