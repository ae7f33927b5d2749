import { recordAudit } from '../records/audit/record-audit.ts'
import { type Context, inJoinedOrganizations, inTransaction } from '../platform/auth/context.ts'
import { personContext } from '../platform/auth/narrow-contexts.ts'
import { signedIn } from '../platform/auth/sessions.ts'

/** Ends one session of the person signed in; nothing when it is another person's or has ended. */
export const endOwnSession = (ctx: Context, id: string): Promise<void> => end(ctx, 'session.ended', { id })

/** Ends every session of the person signed in but the one that asks. */
export const endOtherSessions = (ctx: Context): Promise<void> =>
  end(ctx, 'session.others_ended', { id: { not: signedIn(ctx).session.id } })

/**
 * The log of each organization that the person has joined names the session that was ended, or else the one that ended
 * the others.
 */
async function end(ctx: Context, action: string, where: { id: string | { not: string } }): Promise<void> {
  const { session } = signedIn(ctx)
  await inTransaction(personContext(ctx), async (tx) => {
    const { count } = await tx.db.session.deleteMany({ where })
    if (count === 0) return
    const subject = { type: 'session', id: typeof where.id === 'string' ? where.id : session.id }
    await inJoinedOrganizations(tx, (own) => recordAudit(own, { action, subject, after: { ended: count } }))
  })
}
