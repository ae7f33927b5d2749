import { type Context, inTransaction } from '../platform/auth/context.ts'
import { personContext } from '../platform/auth/narrow-contexts.ts'
import { verifyRegistration } from '../platform/auth/passkey-answers.ts'
import { passkeyRefused, takeChallenge } from '../platform/auth/passkey-challenge.ts'
import { beginNewPasskey } from '../platform/auth/passkeys.ts'
import { signedIn } from '../platform/auth/sessions.ts'
import { AppError } from '../core/errors.ts'
import { newId } from '../core/id.ts'
import { isUniqueViolation } from '../db/errors.ts'
import type { Statement } from '../db/statements.ts'
import { assertRecentSignIn } from '../messaging/on-protected-change.ts'
import { recordPasskeyChange } from './record-passkey-change.ts'

const MAX_PASSKEYS = 20
const LOCK: Statement = { name: 'lock_person', text: 'SELECT id FROM users WHERE id = $1::uuid FOR NO KEY UPDATE' }

/** Asks the browser for a new passkey. Throws `sign_in_again`, so that nobody makes a passkey that is refused then. */
export async function beginPasskeyRegistration(ctx: Context) {
  assertRecentSignIn(ctx)
  return beginNewPasskey(ctx)
}

/**
 * Stores the passkey that the browser made. The session counts as made by it from now on: its person just used it in
 * this browser. Throws `passkey_refused` and `sign_in_again`.
 * @param challenged the token that the browser's cookie got with the challenge.
 */
export async function registerPasskey(
  ctx: Context,
  { name, answer }: { name: string; answer: unknown },
  challenged: string | undefined,
): Promise<void> {
  const { userId, session } = signedIn(ctx)
  assertRecentSignIn(ctx)
  const passkey = await verifyRegistration(answer, await takeChallenge(challenged, userId))
  const id = newId()
  try {
    await inTransaction(personContext(ctx), async (tx) => {
      // One at a time, so that two at once don't both count the same passkeys.
      await tx.later(LOCK, userId)
      if ((await tx.db.passkey.count()) >= MAX_PASSKEYS)
        throw new AppError('passkey_refused', `You have ${MAX_PASSKEYS} passkeys, which is the most. Remove one first.`)
      await tx.db.passkey.create({ data: { id, userId, name, ...passkey, createdAt: tx.now() } })
      const { count } = await tx.db.session.updateMany({ where: { id: session.id }, data: { passkeyId: id } })
      // Its person, or an operator, has ended it meanwhile: what it began must not outlive it.
      if (count === 0) throw new AppError('sign_in_again', 'This session has ended. Sign in again.')
      await recordPasskeyChange(tx, {
        action: 'passkey.registered',
        id,
        name,
        forOwners: { what: session.passkeyId === null ? 'passkeyAddedWithoutOne' : 'passkeyAdded', name },
      })
    })
  } catch (error) {
    if (isUniqueViolation(error, 'credential_id')) throw passkeyRefused(error)
    throw error
  }
}
