import { randomUUID } from 'node:crypto'
import { now, secondsFrom } from '../../core/clock.ts'
import { systemClient } from '../../db/client.ts'
import { type Browser, createSession, SESSION_SECONDS } from './create-session.ts'
import { readAssertion, verifyAssertion } from './passkey-answers.ts'
import { passkeyRefused, takeChallenge } from './passkey-challenge.ts'
import { isMember } from './sign-in.ts'

/**
 * Signs the person of a passkey in, in place of the browser's old session, if they are still a member anywhere and no
 * operator has disabled them. Throws `passkey_refused`, whatever is wrong. `challenged` is the token that the browser's
 * cookie got with the challenge.
 */
export async function signInWithPasskey(
  answer: unknown,
  challenged: string | undefined,
  browser: Browser,
): Promise<{ sessionToken: string; expires: Date }> {
  const challenge = await takeChallenge(challenged, null)
  const read = readAssertion(answer)
  const db = systemClient()
  const passkey = await db.passkey.findUnique({
    where: { credentialId: read.id },
    include: { user: { select: { email: true } } },
  })
  if (!passkey) throw passkeyRefused()
  const { counter, backedUp } = await verifyAssertion(read, challenge, passkey)
  const { id, userId, user } = passkey
  if (!(await isMember(user.email))) throw passkeyRefused()
  // Of two answers at once with the same count, one is a copy's. Authenticators that don't count always say 0.
  const { count } = await db.passkey.updateMany({
    where: { id, ...(counter > 0n && { counter: { lt: counter } }) },
    data: { counter, backedUp, lastUsedAt: now() },
  })
  if (count === 0) throw passkeyRefused()
  const session = { sessionToken: randomUUID(), expires: secondsFrom(now(), SESSION_SECONDS) }
  await createSession({ ...session, userId, passkeyId: id }, browser)
  return session
}
