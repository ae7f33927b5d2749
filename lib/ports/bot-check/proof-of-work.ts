import { randomBytes } from 'node:crypto'
import { secondsFrom } from '../../core/clock.ts'
import { isProof } from '../../core/proof-of-work.ts'
import { hmac, type Purpose, sameBytes } from '../../core/secrets.ts'
import type { BotCheck } from './bot-check.ts'

const LIFETIME_SECONDS = 300
const PURPOSE: Purpose = 'proof-of-work'

/** The built-in adapter. It stores nothing: a challenge carries its expiry and an HMAC over that and the listing. */
export function proofOfWork(difficulty: number): BotCheck {
  const sign = (listingId: string, bits: string, expires: string, salt: string) =>
    hmac(PURPOSE, listingId, bits, expires, salt)
  return {
    challenge(listingId, now) {
      const expiresAt = secondsFrom(now, LIFETIME_SECONDS)
      const parts = [
        String(difficulty),
        String(Math.floor(expiresAt.getTime() / 1000)),
        randomBytes(12).toString('base64url'),
      ] as const
      return {
        kind: 'proof_of_work',
        challenge: [...parts, sign(listingId, ...parts).toString('base64url')].join('.'),
        difficulty,
        expiresAt,
      }
    },
    accepts(listingId, proof, now) {
      const [bits, expires, salt, mac, nonce, ...rest] = proof.split('.')
      if (!bits || !expires || !salt || !mac || !nonce || rest.length > 0) return false
      if (!sameBytes(sign(listingId, bits, expires, salt), Buffer.from(mac, 'base64url'))) return false
      return Number(expires) * 1000 > now.getTime() && isProof(proof, Number(bits))
    },
  }
}
