/**
 * A proof-of-work challenge: find a nonce so that SHA-256 of `<challenge>.<nonce>` begins with `difficulty` zero bits. The proof
 * `<challenge>.<nonce>` is accepted until `expiresAt`.
 */
type Challenge = { kind: 'proof_of_work'; challenge: string; difficulty: number; expiresAt: Date }

/** Makes mass purchases by programs expensive. A captcha would be another adapter. Neither method does I/O or throws. */
export type BotCheck = {
  /** A new challenge for one listing; each call gives a different one. */
  challenge(listingId: string, now: Date): Challenge
  /** Whether the proof solves a challenge of this listing that has not expired. The caller must make sure that each is used once. */
  accepts(listingId: string, proof: string, now: Date): boolean
}
