import type { Context } from '../platform/auth/context.ts'
import { peopleOf } from '../platform/auth/person.ts'
import { MINUTE, secondsFrom } from '../core/clock.ts'
import { AppError } from '../core/errors.ts'
import { writeMails } from './outbox/write-mail.ts'

/** How long after signing in a session may make protected changes. */
const RECENT_SECONDS = 10 * MINUTE

/**
 * Called in the transaction of every change that a stolen session alone must not make. Throws `sign_in_again` unless the caller
 * signed in within the last ten minutes, and mails the owners what was done. API keys have permissions instead.
 * @param change what was done, as a sentence for people.
 */
export async function onProtectedChange(tx: Context, change: string): Promise<void> {
  const { actor } = tx
  if (actor.type !== 'member') return
  if (actor.session.signedInAt < secondsFrom(tx.now(), -RECENT_SECONDS))
    throw new AppError('sign_in_again', 'This needs a sign-in of the last ten minutes. Sign in again, then repeat it.')
  const where = { id: tx.organizationId }
  const { name } = await tx.db.organization.findFirstOrThrow({ where, select: { name: true } })
  const variables = {
    organization_name: name,
    change,
    changed_by: actor.email,
    dashboard_url: `${tx.ports.addresses.origin}/dashboard/audit`,
  }
  await writeMails(
    tx,
    (await ownersOf(tx)).map((to) => ({ templateType: 'PROTECTED_CHANGE', to, variables })),
  )
}

/** The email addresses of owners who have joined. */
async function ownersOf({ db }: Context): Promise<string[]> {
  const owners = await db.member.findMany({
    where: { role: 'OWNER', joinedAt: { not: null }, removedAt: null },
    orderBy: { userId: 'asc' },
    select: { userId: true },
  })
  return [...(await peopleOf(owners.map(({ userId }) => userId))).values()].map(({ email }) => email)
}
