import type { AnyContext, Context } from '../platform/auth/context.ts'
import { MINUTE, secondsFrom } from '../core/clock.ts'
import { AppError } from '../core/errors.ts'
import { type Change, changeIn } from './changes.ts'
import { writeMails } from './outbox/write-mail.ts'
import { readersOf } from './readers-of.ts'
import { memberWords } from './templates/mail-words.ts'

/** How long after signing in a session may make protected changes. */
const RECENT_SECONDS = 10 * MINUTE

/**
 * Called in the transaction of every change that a stolen session alone must not make. Throws `sign_in_again` unless
 * the caller signed in within the last ten minutes, and mails the owners what was done. API keys have permissions
 * instead.
 */
export async function onProtectedChange(tx: Context, change: Change): Promise<void> {
  if (tx.actor.type !== 'member') return
  assertRecentSignIn(tx)
  await mailOwners(tx, change, tx.actor.email)
}

/** Throws `sign_in_again` when a session asks that was signed in more than ten minutes ago. */
export function assertRecentSignIn({ actor, now }: AnyContext): void {
  if (actor.type === 'member' && actor.session.signedInAt < secondsFrom(now(), -RECENT_SECONDS))
    throw new AppError('sign_in_again', 'This needs a sign-in of the last ten minutes. Sign in again, then repeat it.')
}

/**
 * Mails the owners what was done, and by whom, each in their language. `changedBy`: an address; null: the sign-in
 * provider did it.
 */
export async function mailOwners(tx: Context, change: Change, changedBy: string | null): Promise<void> {
  const { organizationName, readers } = await readersOf(tx, tx.organizationId, ['OWNER'])
  await writeMails(
    tx,
    readers.map(({ email, locale }) => ({
      templateType: 'PROTECTED_CHANGE',
      to: email,
      locale,
      variables: {
        organization_name: organizationName,
        change: changeIn(locale, change),
        changed_by: changedBy ?? memberWords(locale).protectedChange.provider,
        dashboard_url: `${tx.ports.addresses.origin}/dashboard/audit`,
      },
    })),
  )
}
