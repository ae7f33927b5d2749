/**
 * Headers of every answer that pages of other origins may read: answers of public paths, and refusals by the HTTP
 * server.
 */
export const CORS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag, Idempotent-Replayed, RateLimit, RateLimit-Policy, Request-Id, Retry-After',
}

const KNOWN_HEADERS = 'Content-Type, Idempotency-Key, If-Match, If-None-Match, Request-Id, X-Api-Key, Authorization'
/** A list of header names, without anything that may not stand in a header. */
const HEADER_NAMES = /^[\w!#$%&'*+.^`|~, -]+$/

/**
 * The headers that allow a request which a browser asks about first. Libraries add headers of their own, and no answer
 * depends on an unknown one: whatever is asked for is allowed.
 */
export const preflight = (askedHeaders: string | null) => ({
  ...CORS,
  'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers': askedHeaders && HEADER_NAMES.test(askedHeaders) ? askedHeaders : KNOWN_HEADERS,
  'access-control-max-age': '86400',
  vary: 'Access-Control-Request-Headers',
})
