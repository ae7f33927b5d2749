import type { IncomingHttpHeaders } from 'node:http'
import { now } from '../../core/clock.ts'
import { AppError, notFound } from '../../core/errors.ts'
import { BASE_POLICY, pagePolicy, RECIPIENT_PAGES } from './page-policy.ts'
import { refusal } from './problem.ts'
import { REQUEST_ID_HEADER, requestIdFrom } from './request-id.ts'
import { firstUntrustedHop, type TrustedProxies } from './trusted-proxies.ts'

export type FrontServerSettings = {
  origin: string
  /** The origin of claim, wallet and checkout pages; empty when they are at `origin`. */
  claimOrigin: string
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

/** Tells a page its own address, which layouts of Next aren't given. */
export const PAGE_URL_HEADER = 'x-page-url'

/** Request headers that only this server may set; whatever a client sends in them is removed. */
export const STRIPPED_REQUEST_HEADERS = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-real-ip',
  'x-client-address',
  PAGE_URL_HEADER,
  'content-security-policy',
  'content-security-policy-report-only',
]

/**
 * Decides what happens to a request before the application gets it. The returned headers replace those of the same
 * name.
 * @param frameOrigins origins that may show this page in a frame; only checkout pages have any (`frameAncestors`).
 */
export function admit(
  settings: FrontServerSettings,
  incoming: IncomingRequest,
  frameOrigins: readonly string[] = [],
): Admission {
  const host = hostOf(incoming.headers.host)
  const asked = pathOf(incoming.url)
  const url = asked === null ? null : plainApiPath(asked)
  const requestId = requestIdFrom(headerOf(incoming.headers[REQUEST_ID_HEADER]))
  const always = { ...headersOfAll(settings), [REQUEST_ID_HEADER]: requestId }
  const answer = (response: Response): Admission => {
    for (const [name, value] of Object.entries(always)) response.headers.set(name, value)
    return { kind: 'answer', response }
  }
  const refuse = (error: AppError, more?: Record<string, string>) => answer(refusal(error, requestId, more))
  if (url === null || (!settings.sandbox && SANDBOX_ONLY.test(url))) return refuse(notFound())
  if (!METHODS.includes(incoming.method)) return refuse(methodNotAllowed(), { allow: METHODS.join(', ') })
  if (!isDecodable(url)) return refuse(malformedEscape())
  // A browser doesn't send a request whose preflight was refused, and its page would hear nothing of the right path.
  if (url !== asked && incoming.method !== 'OPTIONS') return refuse(noSuchPath(url), { 'cache-control': 'no-store' })

  const atClaimHost = settings.claimOrigin !== '' && isHost(host, new URL(settings.claimOrigin).host)
  const origin = new URL(atClaimHost ? settings.claimOrigin : settings.origin)
  const client = firstUntrustedHop(
    incoming.socketAddress,
    headerOf(incoming.headers['x-forwarded-for']),
    settings.trustedProxies,
  )
  const headers: Record<string, string> = {
    'x-client-address': client,
    [REQUEST_ID_HEADER]: requestId,
    'x-forwarded-for': client,
    // The public host, whichever one a proxy used: Next compares a form's origin with it.
    'x-forwarded-host': origin.host,
    'x-forwarded-proto': origin.protocol.slice(0, -1),
  }
  const passOn = (to: string, policy: string): Admission => ({
    kind: 'pass',
    url: to,
    headers,
    responseHeaders: { ...always, 'content-security-policy': policy },
  })
  const atPublicHost = isHost(host, settings.publicApiHost)
  if (atPublicHost || isHost(host, settings.adminApiHost)) {
    if (!/^\/v1(\/|$|\?)/.test(url)) return refuse(notFound())
    return passOn(atPublicHost ? `/public${url}` : url, BASE_POLICY)
  }
  // Pages that anybody may see are at ORIGIN; pages of recipients lead there.
  if (atClaimHost && PUBLIC_PAGES.test(url)) return answer(redirect(308, `${settings.origin}${url}`))
  if (atClaimHost && !RECIPIENT_PAGES.test(url) && !FOR_RECIPIENT_PAGES.test(url)) return refuse(notFound())
  if (settings.claimOrigin && !atClaimHost && RECIPIENT_PAGES.test(url))
    return answer(redirect(308, `${settings.claimOrigin}${url}`))
  // Passkeys and sign-in cookies belong to one host: a sandbox opened by IP address redirects to its host name.
  if (settings.sandbox && isPageVisit(incoming) && host !== origin.host && /^(127\.0\.0\.1|\[::1\])(:|$)/.test(host))
    return answer(redirect(307, `${settings.origin}${url}`))

  const isPage = isPageUrl(url)
  if ((isPage || incoming.headers['next-action'] !== undefined) && isForged(incoming, origin))
    return refuse(new AppError('forbidden', 'This form was sent from a page of another site.'))
  if (!isPage) return passOn(url, BASE_POLICY)
  headers[PAGE_URL_HEADER] = url
  const policy = pagePolicy(url, settings, frameOrigins)
  headers['content-security-policy'] = policy // Next reads the nonce for its own scripts from this header
  return passOn(url, policy)
}

/** Business time in milliseconds, by which our pages count: a device's own clock may be wrong. */
const SERVER_TIME_HEADER = 'server-time'

/** Windows that our pages open (a wallet, a bank) stay connected to them; windows that open our pages don't. */
const headersOfAll = ({ origin }: FrontServerSettings): Record<string, string> => ({
  [SERVER_TIME_HEADER]: String(now().getTime()),
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  ...(origin.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000' }),
})

/**
 * Paths that only a sandbox has. Elsewhere the built-in card provider serves its accounts and payments on test
 * networks.
 */
const SANDBOX_ONLY = /^\/(dev|sandbox(?!\/cards\/(?:v1|onboarding|authenticate)\/))(\/|$|\?)/

/** Paths that aren't pages. */
const NOT_PAGES =
  /^\/(_next|\.well-known|api|health|media|openapi|public|sandbox\/(?:cards\/v1|clock)|unsubscribe|v1|webhooks)(\/|$|\?)/
/** Whether a URL, as `admit` passes it on, may be a page's. */
export const isPageUrl = (url: string): boolean => !NOT_PAGES.test(url)
/** Pages of public collections, items and owners. */
const PUBLIC_PAGES = /^\/[cio]\/[\w-]+(\/|$|\?)/
/** The other paths that the host of CLAIM_ORIGIN serves: those that the recipients' pages load and call. */
const FOR_RECIPIENT_PAGES =
  /^\/(_next|media|public|health|sandbox\/cards\/v1|icon\.svg|apple-icon\.png|icons|manifest\.webmanifest|embed\.js|\.well-known\/webauthn)(\/|$|\?)/

/**
 * Whether another site's page sent this form or server action. Browsers name the page's origin; for a page that sends
 * no referrer they hide it, and say only whether it is the same one.
 */
function isForged({ method, headers }: IncomingRequest, origin: URL): boolean {
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return false
  const site = headerOf(headers['sec-fetch-site'])
  if (headers.origin === undefined) return site === 'cross-site' || site === 'same-site'
  if (headers.origin === 'null') return site !== 'same-origin'
  return headers.origin !== origin.origin
}

/** The path may hold a secret: it is neither cached nor sent on as a referrer. */
const redirect = (status: 307 | 308, location: string): Response =>
  new Response(null, {
    status,
    headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
  })

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const methodNotAllowed = () => new AppError('method_not_allowed', `Use one of ${METHODS.join(', ')}.`)
const malformedEscape = () =>
  new AppError(
    'invalid_request',
    'The URL is not valid: after a percent sign, two hex digits of a UTF-8 character are ' +
      'needed. Write % itself as %25.',
  )

const OF_AN_API = /^\/(?:public\/)?v1(?:[/?]|$)/

/** The base of a path that was meant for an API: in any case, of any version, or of none. */
const MEANT_FOR_AN_API = /^\/(?:(public)(?:\/v\d+)?|v\d+)(?=\/|$)/i

/**
 * The right form of a path that was meant for an API: without empty segments and a slash at its end, and with a base
 * that there is. Any other URL as it is.
 */
function plainApiPath(url: string): string {
  const end = url.indexOf('?')
  const path = end < 0 ? url : url.slice(0, end)
  if (OF_AN_API.test(path) && !path.includes('//') && !path.endsWith('/')) return url
  const plain = path.replace(/\/{2,}/g, '/').replace(/\/$/, '')
  if (!MEANT_FOR_AN_API.test(plain)) return url
  return plain.replace(MEANT_FOR_AN_API, (_, open?: string) => (open ? '/public/v1' : '/v1')) + url.slice(path.length)
}

/** A client that leaves an id empty means one row, and must not get the list, or write to it. */
const noSuchPath = (right: string) =>
  new AppError('not_found', `There is no such path. Its right form is ${right.split('?', 1)[0]!}.`)

/**
 * Whether a path, and an API's query, can be decoded. A page ignores a parameter that it can't read: others add theirs
 * to its links.
 */
function isDecodable(url: string): boolean {
  if (!url.includes('%')) return true
  try {
    decodeURIComponent(OF_AN_API.test(url) ? url : url.split('?', 1)[0]!)
    return true
  } catch {
    return false
  }
}

/**
 * Path and query with dot segments and needless escapes resolved, so that the checked path is the served one; null for
 * an invalid URL.
 */
export function pathOf(url: string): string | null {
  if (PLAIN.test(url)) return url
  try {
    const { pathname, search } = new URL(url.startsWith('/') ? `http://vitrine${url}` : url)
    const plain = pathname.replace(UNRESERVED, decodeURIComponent)
    return plain === pathname ? pathname + search : new URL(`http://vitrine${plain}`).pathname + search
  } catch {
    return null
  }
}

/** A path without dots and escapes, and a query that a URL object leaves as it is. */
const PLAIN = /^\/[\w~/-]*(?:\?[\w~=&,.:%+-]+)?$/

/** Escapes of characters that need none (RFC 3986, 6.2.2.2): Next serves such a path as the plain one. */
const UNRESERVED = /%(?:2d|2e|3\d|[46][1-9a-f]|5[\da]|5f|7[\da]|7e)/gi

const headerOf = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(', ') : value
/** In lower case, and without the dot that a full name may end with. */
const hostOf = (value: string | undefined): string => (value ?? '').toLowerCase().replace(/\.(?=:\d+$|$)/, '')
const isHost = (host: string, expected: string): boolean =>
  expected !== '' && (host === expected.toLowerCase() || host.replace(/:\d+$/, '') === expected.toLowerCase())
const isPageVisit = (incoming: IncomingRequest): boolean =>
  incoming.method === 'GET' && (headerOf(incoming.headers.accept) ?? '').includes('text/html')
