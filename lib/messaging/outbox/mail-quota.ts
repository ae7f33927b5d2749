import { Prisma } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { DAY, HOUR, secondsFrom } from '../../core/clock.ts'
import { env } from '../../core/env.ts'
import { AppError } from '../../core/errors.ts'
import type { TemplateType } from '../templates/templates.ts'

/** What recipients didn't ask for. PINs, receipts and the like follow from these. */
const COUNTED: readonly TemplateType[] = ['REDEEM_NFT', 'MEMBER_INVITE', 'TEST']

/** Throws `rate_limited` when an organization that waits for approval would mail more than its quota of the last 24 hours. */
export async function spendMailQuota(
  tx: Context,
  orders: readonly { templateType: TemplateType; isFollowUp?: boolean }[],
): Promise<void> {
  const wanted = orders.filter(({ templateType, isFollowUp }) => COUNTED.includes(templateType) && !isFollowUp).length
  if (wanted === 0) return
  // Locked, so that mails written at once don't all count the same ones.
  const newcomers = await tx.sql(
    Prisma.sql`SELECT id FROM organizations WHERE id = ${tx.organizationId}::uuid AND newcomer_since IS NOT NULL FOR NO KEY UPDATE`,
  )
  if (newcomers.length === 0) return
  const written = await tx.db.outboxMessage.count({
    where: { templateType: { in: [...COUNTED] }, createdAt: { gt: secondsFrom(tx.now(), -DAY) } },
  })
  if (written + wanted > env.NEWCOMER_MAILS_PER_DAY)
    throw new AppError(
      'rate_limited',
      `Until whoever runs this installation has approved this organization, it may mail ${env.NEWCOMER_MAILS_PER_DAY} claims and invitations in 24 hours. They are used up.`,
      { retryAfterSeconds: HOUR },
    )
}
