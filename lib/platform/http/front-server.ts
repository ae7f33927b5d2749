import { randomBytes, randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { notFound } from '../../core/errors.ts'
import { problem } from './problem.ts'
import { firstUntrustedHop, type TrustedProxies } from './trusted-proxies.ts'

export type FrontServerSettings = {
  origin: string
  /** Hosts of their own for the two interfaces; empty when there are none. */
  publicApiHost: string
  adminApiHost: string
  trustedProxies: TrustedProxies
  sandbox: boolean
  /** Cards are taken through Stripe: checkout pages load its script and talk to it. */
  stripe: boolean
  development: boolean
}
export type IncomingRequest = {
  method: string
  url: string
  headers: IncomingHttpHeaders
  socketAddress: string | undefined
}
/** Either the request goes on, as rewritten here, or it is answered at the door. */
export type Admission =
  | { kind: 'pass'; url: string; headers: Record<string, string>; responseHeaders: Record<string, string> }
  | { kind: 'answer'; response: Response }

/** What a client may not say about itself: who forwarded it, who it is, which script policy holds. */
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
 * Decides what happens to a request before the application sees it. The headers it names replace those of the same name.
 * @param framers origins that may show this page in a frame of theirs: none, but for a checkout page (`framersOf`).
 */
export function admit(door: FrontServerSettings, arrival: IncomingRequest, framers: readonly string[] = []): Admission {
  const origin = new URL(door.origin)
  const host = hostOf(arrival.headers.host)
  const url = pathOf(arrival.url)
  if (url === null) return { kind: 'answer', response: nothingHere() }

  const client = firstUntrustedHop(
    arrival.socketAddress,
    headerOf(arrival.headers['x-forwarded-for']),
    door.trustedProxies,
  )
  const headers: Record<string, string> = {
    'x-client-address': client,
    'x-forwarded-for': client,
    // Whatever host a proxy used to reach us: people see ours, and a form may only be sent from there.
    'x-forwarded-host': origin.host,
    'x-forwarded-proto': origin.protocol.slice(0, -1),
  }
  const passOn = (to: string, policy: string): Admission => ({
    kind: 'pass',
    url: to,
    headers,
    responseHeaders: { 'content-security-policy': policy },
  })
  const atPublicHost = isHost(host, door.publicApiHost)
  if (atPublicHost || isHost(host, door.adminApiHost)) {
    if (!/^\/v1(\/|$|\?)/.test(url)) return { kind: 'answer', response: nothingHere() }
    return passOn(atPublicHost ? `/public${url}` : url, BASE_POLICY)
  }
  // Passkeys and sign-in cookies belong to one host: a sandbox opened by its IP address moves to its name.
  if (door.sandbox && isPageVisit(arrival) && host !== origin.host && /^(127\.0\.0\.1|\[::1\])(:|$)/.test(host))
    return {
      kind: 'answer',
      response: new Response(null, { status: 307, headers: { location: `${door.origin}${url}` } }),
    }

  if (NOT_PAGES.test(url)) return passOn(url, BASE_POLICY)
  const policy = pagePolicy(url, randomBytes(16).toString('base64'), door, framers)
  headers['content-security-policy'] = policy // Next puts the nonce it finds here on its own scripts
  return passOn(url, policy)
}

const NOT_PAGES = /^\/(_next|api|dev|docs|health|media|openapi|public|v1)(\/|$|\?)/
const BASE_POLICY = "frame-ancestors 'none'; base-uri 'self'; object-src 'none'"

/**
 * Keys are made on the claim and wallet pages, and money is paid on the checkout pages: only our own scripts run there, and they
 * can talk to nobody but us, and Stripe where cards are taken through it. The rest holds on all pages, since whoever comes by a
 * link keeps the policy of the page before. Pictures from outside are for the dashboard.
 */
function pagePolicy(
  url: string,
  nonce: string,
  { development, stripe }: FrontServerSettings,
  framers: readonly string[],
): string {
  const checkout = CHECKOUT.test(url)
  const precious = checkout || /^\/(claim|wallet)(\/|$|\?)/.test(url)
  const withStripe = (hosts: string) => (checkout && stripe ? ` ${hosts}` : '')
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'${development ? " 'unsafe-eval'" : ''}${withStripe('https://js.stripe.com https://*.js.stripe.com')}`,
    "style-src 'self' 'unsafe-inline'",
    `img-src 'self' data: blob:${precious ? withStripe('https://*.stripe.com') : ' https: http:'}`,
    "font-src 'self'",
    `connect-src 'self'${withStripe('https://api.stripe.com')}`,
    "manifest-src 'self'",
    ...(checkout && stripe ? ['frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com'] : []),
    ...(precious ? ["form-action 'self'"] : []), // signing in elsewhere sends a form there
    `frame-ancestors ${checkout && framers.length > 0 ? framers.join(' ') : "'none'"}`,
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

/** Path and query with dots resolved, so that what is checked is what is served; null when it can't be read. */
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
const isHost = (host: string, wanted: string): boolean =>
  wanted !== '' && (host === wanted.toLowerCase() || host.replace(/:\d+$/, '') === wanted.toLowerCase())
const isPageVisit = (arrival: IncomingRequest): boolean =>
  arrival.method === 'GET' && (headerOf(arrival.headers.accept) ?? '').includes('text/html')
