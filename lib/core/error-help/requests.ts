import type { ErrorHelp } from '../errors.ts'

/** Of any request: its form, its caller, and how much is asked at once. */
export const REQUEST_ERRORS = {
  invalid_request: {
    cause: 'A field is missing, unknown, of another type or out of its bounds. `errors` names every one of them.',
    remedy: 'Correct the named fields. A field that is unknown here may be misspelled: the nearest name is proposed.',
    detail: 'price: Expected a whole number of minor units (cents, wei), got 12.50.',
    field: 'price',
    fieldCode: 'invalid_format',
  },
  invalid_cursor: {
    cause: 'The cursor is damaged, or belongs to another list, other filters or another order.',
    remedy: 'Send the `cursor` of the previous page unchanged, or none to begin anew.',
    detail: 'This cursor was not issued by this list.',
  },
  unauthenticated: {
    cause: 'There is no API key in the request, or it is mistyped, expired or revoked.',
    remedy: 'Send a valid key as `Authorization: Bearer <key>` or `X-Api-Key: <key>`.',
    detail: 'Send a valid API key as "Authorization: Bearer <key>" or "X-Api-Key: <key>".',
  },
  forbidden: {
    cause: 'The key or member lacks the permission of this operation.',
    remedy: 'Use a key with the named permission, or ask an owner for it. GET /v1/me lists the permissions of a key.',
    detail: 'This needs the permission items:write.',
  },
  sign_in_again: {
    cause: 'The operation protects an account, and the session’s sign-in is older than ten minutes or has ended.',
    remedy: 'Sign in to the dashboard again, then repeat it.',
    detail: 'This needs a sign-in of the last ten minutes. Sign in again, then repeat it.',
  },
  passkey_required: {
    cause: 'The organization opens its dashboard only to sessions that a passkey made.',
    remedy: 'Sign in with a passkey, or register one first. API keys are unaffected.',
    detail: 'This organization asks for a passkey. Open the dashboard to sign in with one.',
  },
  passkey_refused: {
    cause: 'The passkey isn’t known here, its answer came too late, or no more can be registered.',
    remedy: 'Try again, sign in by a mailed link, or remove a passkey that is no longer used.',
    detail: 'That passkey was not accepted. Try again, or sign in by a link.',
  },
  suspended: {
    cause: 'Those who run this installation have suspended the organization or the collection.',
    remedy: 'Ask them. What was promised earlier is described in docs/abuse.md.',
    detail: 'This isn’t offered at the moment.',
  },
  not_found: {
    cause: 'An id is unknown, malformed, or belongs to another organization; the answers are the same.',
    remedy:
      'Check the id in the path, or the field that `errors` names. ' +
      'TEST and LIVE keys of one organization see the same rows.',
    detail: 'There is no item by this id.',
    field: 'item_id',
  },
  method_not_allowed: {
    cause: 'The path exists, but not with this method.',
    remedy: 'Use a method that the `Allow` header lists.',
    detail: 'This path takes GET, POST.',
  },
  request_timeout: {
    cause: 'The request’s headers or body did not arrive in time.',
    remedy: 'Send it again over a better connection, or in smaller parts.',
    detail: 'The request did not arrive in time.',
  },
  precondition_failed: {
    cause: 'No ETag in `If-Match` is the one that reading the record gives now: it changed since it was read.',
    remedy: 'Read it again, decide anew, and send the new `ETag`; or send no `If-Match`.',
    detail: 'This changed since you read it. Read it again, then decide anew.',
  },
  body_too_large: {
    cause: 'The body is larger than 1 MiB, or an uploaded file than 25 MiB.',
    remedy: 'Send less at once: several requests, a smaller picture, a shorter file.',
    detail: 'The body is larger than 1 MiB.',
  },
  url_too_long: {
    cause: 'The URL is longer than 8 KiB.',
    remedy: 'Pass fewer filter values at once.',
    detail: 'The URL is longer than 8 KiB.',
  },
  headers_too_large: {
    cause: 'The URL and headers together are larger than 16 KiB, often because of cookies.',
    remedy: 'Leave out headers and cookies that aren’t needed.',
    detail: 'The request’s URL and headers are larger than 16 KiB.',
  },
  unsupported_media_type: {
    cause:
      'The body isn’t of a content type that the operation reads, is compressed, or names a charset other than UTF-8.',
    remedy: 'Send JSON with `Content-Type: application/json`; files may be sent as multipart/form-data.',
    detail: 'Send the body as application/json.',
  },
  rate_limited: {
    cause:
      'More requests came from this key or address than are allowed in a minute, ' +
      'or a limit that the detail names is reached.',
    remedy:
      'Wait as many seconds as `Retry-After` says. The header `RateLimit` tells how many ' +
      'requests are left this minute.',
    detail: 'Too many requests. Try again in 12 s.',
  },
  internal: {
    cause: 'A fault on our side. Nothing half-done stays behind.',
    remedy: 'Try again with the same Idempotency-Key. If it stays, report the `request_id`.',
    detail: 'Something went wrong on our side. The request id helps us find it.',
  },
  unavailable: {
    cause:
      'The database, storage, a blockchain network or a provider doesn’t answer or takes no writes right now, ' +
      'or a key that signs isn’t configured.',
    remedy: 'Try again after `Retry-After` seconds, with the same Idempotency-Key.',
    detail: 'The blockchain network does not answer right now. Try again in a moment.',
  },
  maintenance: {
    cause: 'The installation is in maintenance: reads go on, writes don’t.',
    remedy: 'Try again in a few minutes. Nothing was changed.',
    detail: 'We are doing maintenance. Nothing was changed. Try again in a few minutes.',
  },
  overloaded: {
    cause: 'All requests that the process takes at once are in work, and others wait already.',
    remedy: 'Try again after a second, and send fewer requests at the same time.',
    detail: 'Too many requests are in work right now. Nothing was changed. Try again in a moment.',
  },
  idempotency_mismatch: {
    cause: 'The Idempotency-Key was used for a request with another path, query or body in the last 24 hours.',
    remedy: 'Use a new key for a new request; repeat a request with exactly the same content.',
    detail: 'This Idempotency-Key was used for a request with other content.',
  },
  idempotency_in_flight: {
    cause: 'A request with this Idempotency-Key is still being worked on.',
    remedy: 'Wait a moment and repeat it: the first one’s answer is returned.',
    detail: 'The first request with this Idempotency-Key is still running.',
  },
  conflict: {
    cause: 'The record was changed by somebody else meanwhile, or is in a state that forbids this right now.',
    remedy: 'Read the record again and decide anew.',
    detail: 'The claim changed meanwhile.',
  },
  name_taken: {
    cause: 'The organization has another record of this kind with the same name.',
    remedy: 'Choose another name.',
    detail: 'There is a collection called “Night garden” already.',
    field: 'name',
  },
  recovering: {
    cause: 'A backup was put back, and its records are being compared with the chain or the card provider.',
    remedy: 'Try again in some minutes; for gifts and sales of a collection it may take days. Nothing was changed.',
    detail:
      'The records are being compared with the network after a backup was put back. ' +
      'Nothing was changed; try again in some minutes.',
  },
} as const satisfies Record<string, ErrorHelp>
