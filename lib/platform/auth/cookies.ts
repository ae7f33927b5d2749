import { env } from '../../core/env.ts'

/** Whether cookies are sent over https only. */
export const SECURE_COOKIES = env.ORIGIN.startsWith('https:')

/**
 * Over https a cookie belongs to the very host that set it: browsers refuse this prefix from any other, sibling hosts
 * included.
 */
const cookieName = (name: string): string => (SECURE_COOKIES ? `__Host-${name}` : name)

export const SESSION_COOKIE = cookieName('next-auth.session-token')
/** The organization that a person selected. It isn't trusted: membership is checked on every request. */
export const ORGANIZATION_COOKIE = cookieName('vitrine-organization')
/** The browser that a passkey's challenge was made for. */
export const PASSKEY_COOKIE = cookieName('vitrine-passkey')

/** The language that a person chose on this device. */
export const LOCALE_COOKIE = cookieName('vitrine-language')

/** How long a browser that showed a claim’s PIN can redeem without it. */
export const PIN_PROOF_SECONDS = 10 * 60
/**
 * The proof that this browser showed the PIN of one claim. Each link has a cookie of its own, so that several can be
 * redeemed side by side.
 */
export const pinProofCookie = (link: string): string => cookieName(`vitrine-pin-${link}`)

const cookie = (name: string, maxAge?: number) => ({
  name: cookieName(`next-auth.${name}`),
  options: { httpOnly: true, sameSite: 'lax' as const, path: '/', secure: SECURE_COOKIES, ...(maxAge && { maxAge }) },
})
const FLOW_SECONDS = 15 * 60

/** next-auth's cookies, by its own names for them. */
export const SIGN_IN_COOKIES = {
  sessionToken: cookie('session-token'),
  callbackUrl: cookie('callback-url'),
  csrfToken: cookie('csrf-token'),
  pkceCodeVerifier: cookie('pkce.code_verifier', FLOW_SECONDS),
  state: cookie('state', FLOW_SECONDS),
  nonce: cookie('nonce'),
}
