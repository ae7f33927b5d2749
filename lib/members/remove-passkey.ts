import { type Context, inTransaction } from '../platform/auth/context.ts'
import { personContext } from '../platform/auth/narrow-contexts.ts'
import { signedIn } from '../platform/auth/sessions.ts'
import { notFound } from '../core/errors.ts'
import { assertRecentSignIn } from '../messaging/on-protected-change.ts'
import { recordPasskeyChange } from './record-passkey-change.ts'

/**
 * Removes a passkey of the person signed in and ends the sessions that it made, but for the one that asks, which no
 * passkey made from now on. Throws `sign_in_again` and `not_found`.
 */
export async function removePasskey(ctx: Context, id: string): Promise<void> {
  const { session } = signedIn(ctx)
  assertRecentSignIn(ctx)
  await inTransaction(personContext(ctx), async (tx) => {
    const passkey = await tx.db.passkey.findFirst({ where: { id } })
    if (!passkey) throw notFound()
    await tx.db.session.deleteMany({ where: { passkeyId: id, id: { not: session.id } } })
    const { count } = await tx.db.passkey.deleteMany({ where: { id } })
    if (count === 0) throw notFound()
    await recordPasskeyChange(tx, { action: 'passkey.removed', id, name: passkey.name })
  })
}
