import { type AnyContext, inTransaction, organizationIdOf } from '../../platform/auth/context.ts'
import { newId } from '../../core/id.ts'
import { sendMail } from '../../platform/jobs/jobs.ts'
import { enqueueAll } from '../../platform/jobs/queue.ts'
import type { TemplateType, TemplateVariables } from '../templates/templates.ts'
import { spendMailQuota } from './mail-quota.ts'
import { sealVariables } from './outbox.ts'

export type NewMail<T extends TemplateType = TemplateType> = {
  [K in T]: {
    templateType: K
    to: string
    variables: TemplateVariables[K]
    claimId?: string | undefined
    campaignId?: string | null | undefined
    /** It follows from an earlier mail of its claim, and fails for no quota. */
    isFollowUp?: boolean
  }
}[T]

/** Writes a mail to the outbox in the transaction of its cause; the worker sends it. Its Message-ID never changes afterwards. */
export const writeMail = async (ctx: AnyContext, order: NewMail): Promise<{ id: string }> => ({
  id: (await writeMails(ctx, [order]))[0]!,
})

/** Like `writeMail`, for many mails of one organization. Returns their ids, in order. Throws what `spendMailQuota` throws. */
export async function writeMails(ctx: AnyContext, orders: readonly NewMail[]): Promise<string[]> {
  const host = new URL(ctx.ports.addresses.origin).hostname
  return inTransaction(ctx, async (tx) => {
    if (tx.sees === 'organization') await spendMailQuota(tx, orders)
    const rows = orders.map(({ templateType, to, variables, claimId, campaignId }) => {
      const id = newId()
      return {
        id,
        organizationId: organizationIdOf(tx),
        templateType,
        claimId: claimId ?? null,
        campaignId: campaignId ?? null,
        toEmail: to,
        variables: sealVariables(id, variables),
        messageId: `<${id}@${host}>`,
        createdAt: tx.now(),
      }
    })
    const ids = rows.map(({ id }) => id)
    await tx.db.outboxMessage.createMany({ data: rows })
    await enqueueAll(
      tx,
      sendMail,
      ids.map((id) => ({ payload: { message_id: id }, key: id })),
    )
    return ids
  })
}
