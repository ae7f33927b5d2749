/** What a buyer's machine must do before it may buy: find the number that makes a hash of both begin with so many zero bits. */
export type Challenge = { kind: 'proof_of_work'; challenge: string; difficulty: number; expiresAt: Date }

/** Tells people from programs that buy by the thousand, or at least makes the latter pay. A captcha would be another adapter. */
export type BotCheck = {
  /** A new task for one listing. */
  challenge(listingId: string, now: Date): Challenge
  /** Whether this is a good answer to a task of this listing that hasn't run out. That each is used once is the caller's business. */
  accepts(listingId: string, proof: string, now: Date): boolean
}
