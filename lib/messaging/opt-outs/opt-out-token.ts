import { hmac, isHmacOf } from '../../core/secrets.ts'

/** So much of the HMAC is in a token. */
const MAC_BYTES = 32
const ID_BYTES = 16
const TOKEN = /^[A-Za-z0-9_-]{64}$/

/** The parts of a link that unsubscribes: the claim of its mail, and the mailbox that it went to. */
type MailedClaim = { claimId: string; email: string }

/** The token of a link that unsubscribes one mailbox, and nobody else: a claim's corrected address has another one. */
export function optOutTokenOf({ claimId, email }: MailedClaim): string {
  const id = Buffer.from(claimId.replaceAll('-', ''), 'hex')
  return Buffer.concat([id, hmac('opt-out', claimId, email.toLowerCase())]).toString('base64url')
}

/** The claim that a token names; null for what can't be a token. */
export function claimIdIn(token: string): string | null {
  if (!TOKEN.test(token)) return null
  const hex = Buffer.from(token, 'base64url').toString('hex', 0, ID_BYTES)
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** Whether a token was made for this claim and mailbox, with a key that is still listed. */
export const isOptOutToken = (token: string, { claimId, email }: MailedClaim): boolean =>
  isHmacOf(
    Buffer.from(token, 'base64url').subarray(ID_BYTES, ID_BYTES + MAC_BYTES),
    'opt-out',
    claimId,
    email.toLowerCase(),
  )

/** Where mail programs unsubscribe with one click (RFC 8058), and people are led to a page. */
export const optOutUrlOf = (origin: string, mail: MailedClaim): string => `${origin}/unsubscribe/${optOutTokenOf(mail)}`
