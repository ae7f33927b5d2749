import { inTransaction, within, type SystemContext } from '../platform/auth/context.ts'
import { emailOf } from '../platform/auth/sign-in.ts'
import { AppError } from '../core/errors.ts'
import { recordAudit } from '../records/audit/record-audit.ts'

/** The organizations in which an operator's change of a person took effect. */
type Changed = { organizations: string[] }

/**
 * Keeps a person out of every organization: their sessions end, their API keys are revoked, and no link or provider
 * signs them in until `enablePerson`. They stay a member.
 */
export const disablePerson = (worker: SystemContext, email: string): Promise<Changed> =>
  change(worker, email, 'member.disabled')

/** Lets a person sign in again. Their API keys stay revoked. */
export const enablePerson = (worker: SystemContext, email: string): Promise<Changed> =>
  change(worker, email, 'member.enabled')

const change = (worker: SystemContext, email: string, action: 'member.disabled' | 'member.enabled'): Promise<Changed> =>
  inTransaction(worker, async (tx) => {
    const disabledAt = action === 'member.disabled' ? tx.now() : null
    const { count } = await tx.db.user.updateMany({ where: { email: emailOf(email) }, data: { disabledAt } })
    if (count === 0) throw new AppError('not_found', `Nobody with the address ${email} has ever been a member here.`)
    const { id: userId } = await tx.db.user.findUniqueOrThrow({ where: { email: emailOf(email) } })
    const members = await tx.db.member.findMany({ where: { userId, removedAt: null }, orderBy: { id: 'asc' } })
    if (disabledAt) {
      await tx.db.session.deleteMany({ where: { userId } })
      await tx.db.apiKey.updateMany({
        where: { memberId: { in: members.map(({ id }) => id) }, revokedAt: null },
        data: { revokedAt: disabledAt },
      })
    }
    for (const { id, organizationId } of members)
      await within(tx, organizationId, (own) => recordAudit(own, { action, subject: { type: 'member', id } }))
    return { organizations: members.map(({ organizationId }) => organizationId) }
  })
