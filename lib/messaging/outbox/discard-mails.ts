import type { Context } from '../../platform/auth/context.ts'
import type { TemplateType } from '../templates/templates.ts'

/** Mails of a claim that nobody should get any more: its link died, or a newer PIN took a PIN's place. */
export async function discardMails(
  tx: Context,
  claimId: string,
  templateTypes: readonly TemplateType[],
): Promise<void> {
  await tx.db.outboxMessage.updateMany({
    where: { claimId, templateType: { in: [...templateTypes] }, state: 'PENDING' },
    data: { state: 'DISCARDED', variables: null },
  })
}
