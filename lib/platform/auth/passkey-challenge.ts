import { createHash, randomBytes } from 'node:crypto'
import { Prisma } from '../../../generated/prisma/client.ts'
import { MINUTE, now, secondsFrom } from '../../core/clock.ts'
import { AppError } from '../../core/errors.ts'
import { systemClient } from '../../db/client.ts'

/** How long a person has to answer their authenticator. */
export const CHALLENGE_SECONDS = 5 * MINUTE

const hashOf = (browser: string) => new Uint8Array(createHash('sha256').update(browser).digest())

/** Whose passkey is registered; null: somebody signs in. */
type Purpose = string | null

/** Stores a challenge for one browser. Returns the token that the browser's cookie holds meanwhile. */
export async function openChallenge(challenge: string, registersFor: Purpose): Promise<string> {
  const browser = randomBytes(32).toString('base64url')
  const expires = secondsFrom(now(), CHALLENGE_SECONDS)
  await systemClient().passkeyChallenge.create({
    data: { browserHash: hashOf(browser), challenge, registersFor, expires },
  })
  return browser
}

/**
 * The challenge of this browser, which can't be answered again. Throws `passkey_refused` without one of this purpose
 * that is still open.
 */
export async function takeChallenge(browser: string | undefined, registersFor: Purpose): Promise<string> {
  const [taken] = await systemClient().$queryRaw<{ challenge: string; registers_for: Purpose; expires: Date }[]>(
    Prisma.sql`DELETE FROM passkey_challenges WHERE browser_hash = ${hashOf(browser ?? '')}
      RETURNING challenge, registers_for, expires`,
  )
  if (!taken || taken.registers_for !== registersFor || taken.expires <= now()) throw passkeyRefused()
  return taken.challenge
}

/** One answer for whatever is wrong with a passkey, so that it tells nobody what is known here. */
export const passkeyRefused = (cause?: unknown) =>
  new AppError('passkey_refused', 'That passkey was not accepted. Try again, or sign in by a link.', { cause })
