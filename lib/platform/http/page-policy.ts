import { randomBytes } from 'node:crypto'

/** The settings of the front server that a policy depends on. */
type Site = { origin: string; claimOrigin: string; stripe: boolean; development: boolean }

/**
 * The pages of recipients and buyers: those of a claim, also of one that is handed over, the wallet, a listing and a
 * purchase.
 */
export const RECIPIENT_PAGES = /^\/(claims?|h|wallet|l|p)(\/|$|\?)/
/** The pages of a listing and of a purchase. */
const CHECKOUT = /^\/[lp](\/|$|\?)/
/** The public pages of collections, items and owners. */
const PUBLISHED = /^\/[cio](\/|$|\?)/
const SIGN_IN = /^\/sign-in(\/|$|\?)/
/** Where the elements of embed.js are tried: it shows checkout pages in a frame. */
const TRY_EMBED = /^\/docs\/try-embed\/?(\?|$)/
/** The API reference: its viewer shows no pictures of other hosts. */
const REFERENCE = /^\/docs\/reference\/?(\?|$)/

/** The Content-Security-Policy of what isn't a page. */
export const BASE_POLICY = "frame-ancestors 'none'; base-uri 'self'; object-src 'none'"

/**
 * The Content-Security-Policy of a page, with a new nonce. Claim and wallet pages handle keys and checkout pages take
 * payments, so they connect only to us, and to Stripe where it takes cards. The script rules hold on all pages, because
 * a client-side navigation keeps the policy of the first page. Images of other hosts are allowed in the dashboard only.
 */
export function pagePolicy(
  url: string,
  { development, stripe, origin, claimOrigin }: Site,
  frameOrigins: readonly string[],
): string {
  const nonce = randomBytes(16).toString('base64')
  const checkout = CHECKOUT.test(url)
  const recipients = RECIPIENT_PAGES.test(url)
  const withStripe = (hosts: string) => (checkout && stripe ? ` ${hosts}` : '')
  const embeds = TRY_EMBED.test(url) && claimOrigin ? ` ${claimOrigin}` : ''
  const pictures = recipients
    ? `${claimOrigin ? ` ${origin}` : ''}${withStripe('https://*.stripe.com')}` // stored pictures have URLs of ORIGIN
    : SIGN_IN.test(url) || PUBLISHED.test(url) || REFERENCE.test(url)
      ? ''
      : ' https: http:'
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'${development ? " 'unsafe-eval'" : ''}${embeds}` +
      withStripe('https://js.stripe.com https://*.js.stripe.com'),
    "style-src 'self' 'unsafe-inline'",
    `img-src 'self' data: blob:${pictures}`,
    "font-src 'self'",
    `connect-src 'self'${withStripe('https://api.stripe.com')}`,
    "manifest-src 'self'",
    ...(TRY_EMBED.test(url) ? [`frame-src 'self'${embeds}`] : []),
    ...(checkout && stripe ? ['frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com'] : []),
    ...(recipients ? ["form-action 'self'"] : []), // elsewhere signing in with OAuth posts a form to another host
    `frame-ancestors ${checkout && frameOrigins.length > 0 ? frameOrigins.join(' ') : "'none'"}`,
    "base-uri 'none'",
  ].join('; ')
}

/** The nonce of a page's policy, which its own inline scripts carry. */
export const nonceIn = (policy: string | null): string | undefined => policy?.match(/'nonce-([^']+)'/)?.[1]
