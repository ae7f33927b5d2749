import { assertPermission, type Context, inTransaction } from '../platform/auth/context.ts'
import { recordAudit } from '../records/audit/record-audit.ts'

/** Dismisses the dashboard's first steps for everybody in the organization. */
export const hideFirstSteps = (ctx: Context): Promise<void> =>
  inTransaction(ctx, async (tx) => {
    assertPermission(tx, 'organizations:write')
    const id = tx.organizationId
    await tx.db.organization.update({ where: { id }, data: { firstStepsHiddenAt: tx.now() } })
    await recordAudit(tx, { action: 'organization.first_steps_hidden', subject: { type: 'organization', id } })
  })
