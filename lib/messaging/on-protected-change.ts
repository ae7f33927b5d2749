import type { AnyContext, Context } from '../platform/auth/context.ts'
import { MINUTE, secondsFrom } from '../core/clock.ts'
import { AppError } from '../core/errors.ts'
import { writeMails } from './outbox/write-mail.ts'
import { ownersOf } from './owners-of.ts'

/** How long after signing in a session may make protected changes. */
const RECENT_SECONDS = 10 * MINUTE

/**
 * Called in the transaction of every change that a stolen session alone must not make. Throws `sign_in_again` unless the caller
 * signed in within the last ten minutes, and mails the owners what was done. API keys have permissions instead.
 * @param change what was done, as a sentence for people.
 */
export async function onProtectedChange(tx: Context, change: string): Promise<void> {
  if (tx.actor.type !== 'member') return
  assertRecentSignIn(tx)
  await mailOwners(tx, change, tx.actor.email)
}

/** Throws `sign_in_again` when a session asks that was signed in more than ten minutes ago. */
export function assertRecentSignIn({ actor, now }: AnyContext): void {
  if (actor.type === 'member' && actor.session.signedInAt < secondsFrom(now(), -RECENT_SECONDS))
    throw new AppError('sign_in_again', 'This needs a sign-in of the last ten minutes. Sign in again, then repeat it.')
}

/** Mails the owners what was done, and by whom. */
export async function mailOwners(tx: Context, change: string, changedBy: string): Promise<void> {
  const where = { id: tx.organizationId }
  const { name } = await tx.db.organization.findFirstOrThrow({ where, select: { name: true } })
  const variables = {
    organization_name: name,
    change,
    changed_by: changedBy,
    dashboard_url: `${tx.ports.addresses.origin}/dashboard/audit`,
  }
  await writeMails(
    tx,
    (await ownersOf(tx, tx.organizationId)).map((to) => ({ templateType: 'PROTECTED_CHANGE', to, variables })),
  )
}
