import { pinProofCookieOf } from './authenticate.ts'
import { PIN_PROOF_SECONDS, SECURE_COOKIES } from './cookies.ts'

/** The cookie that proves the PIN of the claim whose link has this token, as the value of a Set-Cookie header. */
export const pinProofCookieFor = (token: string, proof: string): string =>
  `${pinProofCookieOf(token)}=${proof}; Path=/; Max-Age=${PIN_PROOF_SECONDS}; HttpOnly; ` +
  `SameSite=Strict${SECURE_COOKIES ? '; Secure' : ''}`
