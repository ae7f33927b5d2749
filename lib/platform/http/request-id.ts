import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { redact } from '../../core/redact.ts'

/** In front of the application, every request gets one id, and this header has it from then on. */
export const REQUEST_ID_HEADER = 'request-id'

/** The id that the client gave its request, or a new one. It goes into rows, logs and the headers of mails. */
export const requestIdFrom = (given: string | null | undefined): string =>
  given && /^[\w.:-]{1,100}$/.test(given) ? given : randomUUID()

/** As long as the tokens of claims and whatever else is opened by a link. */
const TOKEN = /^[\w-]{43}$/

/**
 * Gives an incoming request one id, and puts it into its header `request-id`. Clients may name the id in two headers.
 * An id that looks like a secret is replaced.
 */
export function assignRequestId({ headers }: IncomingMessage): string {
  const given = [headers[REQUEST_ID_HEADER], headers['x-request-id']].flat().find((each) => each !== undefined)
  const isSecret = given !== undefined && (redact(given) !== given || TOKEN.test(given))
  const id = requestIdFrom(isSecret ? null : given)
  headers[REQUEST_ID_HEADER] = id
  delete headers['x-request-id']
  return id
}
