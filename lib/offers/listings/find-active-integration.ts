import type { PaymentIntegration } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'

export type ActiveIntegration = PaymentIntegration & { accountId: string }

/** The organization's active card account of this mode; null when there is none. */
export async function findActiveIntegration(ctx: Context, mode: 'TEST' | 'LIVE'): Promise<ActiveIntegration | null> {
  const row = await ctx.db.paymentIntegration.findFirst({
    where: { organizationId: ctx.organizationId, mode, status: 'ACTIVE', accountId: { not: null } },
  })
  return row?.accountId ? { ...row, accountId: row.accountId } : null
}
