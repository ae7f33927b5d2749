import { createHash, randomBytes } from 'node:crypto'
import { secondsFrom } from '../../core/clock.ts'
import { beginsWithZeroBits } from '../../core/proof-of-work.ts'
import { hmac, isHmacOf, type Purpose } from '../../core/secrets.ts'
import type { BotCheck, Subject } from './bot-check.ts'

/** Long enough for the hardest challenge on a phone. */
const LIFETIME_SECONDS = 1800
/** From this proof on, each is as hard as the one before, so that many people behind one address are never shut out. */
const HARDEST_AFTER = 9
const PURPOSE: Purpose = 'proof-of-work'

/**
 * The built-in adapter. It stores nothing: a challenge carries its difficulty, its expiry and an HMAC over these, the
 * listing and the client. `firstBits`: the difficulty of a client's first challenge; each further one takes twice the
 * work.
 */
export function proofOfWork(firstBits: number): BotCheck {
  const bitsOf = ({ earlier }: Subject) => firstBits + Math.min(earlier, HARDEST_AFTER)
  const macParts = ({ listingId, client }: Subject, bits: string, expires: string, salt: string) =>
    [listingId, client, bits, expires, salt] as const
  return {
    challenge(subject, now) {
      const expiresAt = secondsFrom(now, LIFETIME_SECONDS)
      const difficulty = bitsOf(subject)
      const parts = [
        String(difficulty),
        String(Math.floor(expiresAt.getTime() / 1000)),
        randomBytes(12).toString('base64url'),
      ] as const
      return {
        kind: 'proof_of_work',
        challenge: [...parts, hmac(PURPOSE, ...macParts(subject, ...parts)).toString('base64url')].join('.'),
        difficulty,
        expiresAt,
      }
    },
    accept(subject, proof, now) {
      const [bits, expires, salt, mac, nonce, ...rest] = proof.split('.')
      if (!bits || !expires || !salt || !mac || !nonce || rest.length > 0) return null
      if (!isHmacOf(Buffer.from(mac, 'base64url'), PURPOSE, ...macParts(subject, bits, expires, salt))) return null
      if (Number(expires) * 1000 <= now.getTime() || Number(bits) < bitsOf(subject)) return null
      const hash = createHash('sha256').update(proof).digest()
      // The salt is what the HMAC covers as it is written; the HMAC itself can be written in several ways.
      return beginsWithZeroBits(hash, Number(bits)) ? salt : null
    },
  }
}
