import { randomBytes, randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { notFound } from '../../core/errors.ts'
import { problem } from './problem.ts'
import { firstUntrustedHop, type TrustedProxies } from './trusted-proxies.ts'

export type FrontServerSettings = {
  origin: string
  /** Hosts dedicated to the two interfaces; empty when there are none. */
  publicApiHost: string
  adminApiHost: string
  trustedProxies: TrustedProxies
  sandbox: boolean
  /** Stripe is configured: checkout pages load its script and connect to it. */
  stripe: boolean
  development: boolean
}
export type IncomingRequest = {
  method: string
  url: string
  headers: IncomingHttpHeaders
  socketAddress: string | undefined
}
/** Pass the rewritten request on to the application, or answer it here. */
export type Admission =
  | { kind: 'pass'; url: string; headers: Record<string, string>; responseHeaders: Record<string, string> }
  | { kind: 'answer'; response: Response }

/** Request headers that only this server may set; whatever a client sends in them is removed. */
export const STRIPPED_REQUEST_HEADERS = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-real-ip',
  'x-client-address',
  'content-security-policy',
  'content-security-policy-report-only',
]

/**
 * Decides what happens to a request before the application gets it. The returned headers replace those of the same name.
 * @param frameOrigins origins that may show this page in a frame; only checkout pages have any (`frameAncestors`).
 */
export function admit(
  settings: FrontServerSettings,
  incoming: IncomingRequest,
  frameOrigins: readonly string[] = [],
): Admission {
  const origin = new URL(settings.origin)
  const host = hostOf(incoming.headers.host)
  const url = pathOf(incoming.url)
  if (url === null) return { kind: 'answer', response: nothingHere() }

  const client = firstUntrustedHop(
    incoming.socketAddress,
    headerOf(incoming.headers['x-forwarded-for']),
    settings.trustedProxies,
  )
  const headers: Record<string, string> = {
    'x-client-address': client,
    'x-forwarded-for': client,
    // The public host, whichever one a proxy used: Next compares a form's origin with it.
    'x-forwarded-host': origin.host,
    'x-forwarded-proto': origin.protocol.slice(0, -1),
  }
  const passOn = (to: string, policy: string): Admission => ({
    kind: 'pass',
    url: to,
    headers,
    responseHeaders: { 'content-security-policy': policy },
  })
  const atPublicHost = isHost(host, settings.publicApiHost)
  if (atPublicHost || isHost(host, settings.adminApiHost)) {
    if (!/^\/v1(\/|$|\?)/.test(url)) return { kind: 'answer', response: nothingHere() }
    return passOn(atPublicHost ? `/public${url}` : url, BASE_POLICY)
  }
  // Passkeys and sign-in cookies belong to one host: a sandbox opened by IP address redirects to its host name.
  if (settings.sandbox && isPageVisit(incoming) && host !== origin.host && /^(127\.0\.0\.1|\[::1\])(:|$)/.test(host))
    return {
      kind: 'answer',
      response: new Response(null, { status: 307, headers: { location: `${settings.origin}${url}` } }),
    }

  if (NOT_PAGES.test(url)) return passOn(url, BASE_POLICY)
  const policy = pagePolicy(url, randomBytes(16).toString('base64'), settings, frameOrigins)
  headers['content-security-policy'] = policy // Next reads the nonce for its own scripts from this header
  return passOn(url, policy)
}

const NOT_PAGES = /^\/(_next|api|dev|docs|health|media|openapi|public|v1)(\/|$|\?)/
const BASE_POLICY = "frame-ancestors 'none'; base-uri 'self'; object-src 'none'"

/**
 * The Content-Security-Policy of a page. Claim and wallet pages handle keys and checkout pages take payments, so only our own
 * scripts run there and connect only to us, and to Stripe where it takes cards. The script rules hold on all pages, because a
 * client-side navigation keeps the policy of the first page. Images of other hosts are allowed on other pages only.
 */
function pagePolicy(
  url: string,
  nonce: string,
  { development, stripe }: FrontServerSettings,
  frameOrigins: readonly string[],
): string {
  const checkout = CHECKOUT.test(url)
  const sensitive = checkout || /^\/(claim|wallet)(\/|$|\?)/.test(url)
  const withStripe = (hosts: string) => (checkout && stripe ? ` ${hosts}` : '')
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'${development ? " 'unsafe-eval'" : ''}${withStripe('https://js.stripe.com https://*.js.stripe.com')}`,
    "style-src 'self' 'unsafe-inline'",
    `img-src 'self' data: blob:${sensitive ? withStripe('https://*.stripe.com') : ' https: http:'}`,
    "font-src 'self'",
    `connect-src 'self'${withStripe('https://api.stripe.com')}`,
    "manifest-src 'self'",
    ...(checkout && stripe ? ['frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com'] : []),
    ...(sensitive ? ["form-action 'self'"] : []), // elsewhere signing in with OAuth posts a form to another host
    `frame-ancestors ${checkout && frameOrigins.length > 0 ? frameOrigins.join(' ') : "'none'"}`,
    "base-uri 'none'",
  ].join('; ')
}

/** The pages of a listing and of a purchase. */
const CHECKOUT = /^\/[lp](\/|$|\?)/

function nothingHere(): Response {
  const requestId = randomUUID()
  const response = problem(notFound(), requestId)
  response.headers.set('request-id', requestId)
  return response
}

/** Path and query with dot segments resolved, so that the checked path is the served one; null for an invalid URL. */
function pathOf(url: string): string | null {
  try {
    const { pathname, search } = new URL(url.startsWith('/') ? `http://vitrine${url}` : url)
    return pathname + search
  } catch {
    return null
  }
}

const headerOf = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(', ') : value
const hostOf = (value: string | undefined): string => (value ?? '').toLowerCase()
const isHost = (host: string, expected: string): boolean =>
  expected !== '' && (host === expected.toLowerCase() || host.replace(/:\d+$/, '') === expected.toLowerCase())
const isPageVisit = (incoming: IncomingRequest): boolean =>
  incoming.method === 'GET' && (headerOf(incoming.headers.accept) ?? '').includes('text/html')
