/** A refusal of the API, in its own words: `detail` may be shown to a person as it is. */
export class Problem extends Error {
  readonly status: number
  readonly code: string
  readonly detail: string
  readonly triesLeft: number | null
  readonly retryAfterSeconds: number | null
  /** The whole answer, for members that only some refusals have. */
  readonly body: Record<string, unknown>

  constructor(status: number, body: Record<string, unknown>, retryAfter: string | null) {
    const detail = typeof body.detail === 'string' ? body.detail : 'Something went wrong on our side. Please try again.'
    super(detail)
    this.status = status
    this.code = typeof body.code === 'string' ? body.code : 'unknown'
    this.detail = detail
    this.body = body
    this.triesLeft = typeof body.tries_left === 'number' ? body.tries_left : null
    this.retryAfterSeconds = retryAfter && /^\d+$/.test(retryAfter) ? Number(retryAfter) : null
  }
}

/** No answer came: the phone is offline, or we are. */
export class Unreachable extends Error {}

/** One call to our own API on this origin. Throws a Problem, or Unreachable when there was no answer at all. */
export async function request<Answer>(
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  options: { body?: unknown; idempotencyKey?: string; signal?: AbortSignal } = {},
): Promise<Answer> {
  const response = await fetch(`/public/v1${path}`, {
    method,
    headers: {
      accept: 'application/json',
      ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(options.idempotencyKey ? { 'idempotency-key': options.idempotencyKey } : {}),
    },
    body: options.body === undefined ? null : JSON.stringify(options.body),
    referrerPolicy: 'no-referrer',
    ...(options.signal ? { signal: options.signal } : {}),
  }).catch((cause) => {
    throw new Unreachable('No answer.', { cause })
  })
  if (response.status === 204) return undefined as Answer
  const body: unknown = await response.json().catch(() => null)
  if (response.ok && body !== null) return body as Answer
  throw new Problem(
    response.status,
    typeof body === 'object' && body !== null ? { ...body } : {},
    response.headers.get('retry-after'),
  )
}

/** What to tell a person about any failure of `request`. */
export function sentenceOf(failure: unknown): string {
  if (failure instanceof Problem)
    return failure.code === 'rate_limited' ? waitSentence(failure.retryAfterSeconds) : failure.detail
  if (failure instanceof Unreachable) return 'We can’t be reached right now. Check your connection and try again.'
  return 'Something went wrong. Please try again.'
}

export function waitSentence(seconds: number | null): string {
  if (!seconds) return 'That was a little fast. Please wait a moment and try again.'
  if (seconds < 90) return `Please wait ${seconds} seconds and try again.`
  return `Please wait ${Math.ceil(seconds / 60)} minutes and try again.`
}
