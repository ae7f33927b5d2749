import type { Output } from '../platform/api/endpoint.ts'
import type { resendInvitation as endpoint } from '../platform/api/members.ts'
import { recordAudit } from '../records/audit/record-audit.ts'
import { type Context, inTransaction } from '../platform/auth/context.ts'
import { assertMayGive } from '../platform/auth/roles.ts'
import { MINUTE, secondsFrom } from '../core/clock.ts'
import { AppError } from '../core/errors.ts'
import { mailInvitation, createInvitationLink } from './invitation.ts'
import { readMember, showMember } from './read-member.ts'

/**
 * Mails an invitation again, with a new link. Throws `member_exists` when the person has joined, `rate_limited` within
 * a minute of the last mail, and `role_beyond_own`.
 */
export async function resendInvitation(ctx: Context, id: string): Promise<Output<typeof endpoint>> {
  const { email, role } = await showMember(await readMember(ctx, id))
  await assertMayGive(ctx, role)
  const link = await createInvitationLink(ctx, email)
  return inTransaction(ctx, async (tx) => {
    const waiting = { id, removedAt: null, joinedAt: null }
    const rested = { OR: [{ invitedAt: null }, { invitedAt: { lte: secondsFrom(tx.now(), -MINUTE) } }] }
    const { count } = await tx.db.member.updateMany({ where: { ...waiting, ...rested }, data: { invitedAt: tx.now() } })
    const row = await readMember(tx, id)
    if (count === 0 && row.joinedAt) throw new AppError('member_exists', `${email} has joined already.`)
    if (count === 0)
      throw new AppError(
        'rate_limited',
        'This invitation was mailed a moment ago. Wait a minute before you mail it again.',
        { retryAfterSeconds: MINUTE },
      )
    await recordAudit(tx, { action: 'member.invited_again', subject: { type: 'member', id } })
    await mailInvitation(tx, { to: email, role: row.role, link })
    return showMember(row)
  })
}
