import type { Context } from '../../platform/auth/context.ts'
import type { Statement } from '../../db/statements.ts'
import type { TemplateType } from '../templates/mail-variables.ts'

const DISCARD: Statement = {
  name: 'discard_mails',
  text: `UPDATE outbox_messages SET state = 'DISCARDED', variables = NULL
    WHERE organization_id = $1::uuid AND claim_id = $2::uuid AND template_type = ANY($3::text[])
      AND state IN ('PENDING', 'HELD')`,
}

/** Discards a claim's unsent mails of these types: its link is void, or a newer PIN has replaced the older one. */
export const discardMails = (tx: Context, claimId: string, templateTypes: readonly TemplateType[]): Promise<void> =>
  tx.later(DISCARD, tx.organizationId, claimId, [...templateTypes])
