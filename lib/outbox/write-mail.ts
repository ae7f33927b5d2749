import { type Context, inTransaction } from '../auth/context.ts'
import { newId } from '../core/id.ts'
import { sendMail } from '../jobs/jobs.ts'
import { enqueue } from '../jobs/queue.ts'
import type { TemplateType, TemplateVariables } from '../templates/templates.ts'
import { sealVariables } from './outbox.ts'

export type MailOrder<T extends TemplateType = TemplateType> = {
  [K in T]: { templateType: K; to: string; variables: TemplateVariables[K]; claimId?: string | undefined; campaignId?: string | null | undefined }
}[T]

/** Writes a mail in the transaction of its cause; the worker sends it. Its Message-ID is fixed here, whatever happens to it later. */
export async function writeMail(ctx: Context, { templateType, to, variables, claimId, campaignId }: MailOrder): Promise<{ id: string }> {
  const id = newId()
  const host = new URL(ctx.ports.addresses.origin).hostname
  await inTransaction(ctx, async (tx) => {
    await tx.db.outboxMessage.create({
      data: {
        id,
        organizationId: tx.organizationId || null,
        templateType,
        claimId: claimId ?? null,
        campaignId: campaignId ?? null,
        toEmail: to,
        variables: sealVariables(id, variables),
        messageId: `<${id}@${host}>`,
        createdAt: tx.now(),
      },
    })
    await enqueue(tx, sendMail, { message_id: id }, { key: id })
  })
  return { id }
}
