import type { Context } from '../../platform/auth/context.ts'
import type { TemplateType } from '../templates/templates.ts'

/** Discards a claim's unsent mails of these types: its link is void, or a newer PIN has replaced the older one. */
export async function discardMails(
  tx: Context,
  claimId: string,
  templateTypes: readonly TemplateType[],
): Promise<void> {
  await tx.db.outboxMessage.updateMany({
    where: { claimId, templateType: { in: [...templateTypes] }, state: { in: ['PENDING', 'HELD'] } },
    data: { state: 'DISCARDED', variables: null },
  })
}
