/**
 * A proof-of-work challenge: find a nonce so that SHA-256 of `<challenge>.<nonce>` begins with `difficulty` zero bits.
 * The proof `<challenge>.<nonce>` is accepted until `expiresAt`.
 */
type Challenge = { kind: 'proof_of_work'; challenge: string; difficulty: number; expiresAt: Date }

/**
 * Whom a challenge is for. `client`: a network (lib/core/ip-address.ts). `earlier`: how many proofs it used of late.
 */
export type Subject = { listingId: string; client: string; earlier: number }

/**
 * Makes mass purchases by programs expensive. A captcha would be another adapter. Neither method does I/O or throws.
 */
export type BotCheck = {
  /** A new challenge for one listing and client, harder with each earlier proof; each call gives a different one. */
  challenge(subject: Subject, now: Date): Challenge
  /**
   * The id of the challenge that the proof solves; null when that is another listing's or client's, has expired, or is
   * easier than a new one would be. There are many proofs of one challenge, so the caller must make sure that each id
   * is used once.
   */
  accept(subject: Subject, proof: string, now: Date): string | null
}
