import type { Input, Output } from '../platform/api/endpoint.ts'
import type { setTransferBudget as endpoint } from '../platform/api/transfer-budgets.ts'
import { recordAudit } from '../records/audit/record-audit.ts'
import { type Context, inTransaction } from '../platform/auth/context.ts'
import { notFound } from '../core/errors.ts'
import { transferBudgetOf } from './list-transfer-budgets.ts'
import { dailyWeiOf, lockTransferBudget } from './transfer-budget.ts'

/**
 * Sets what the organization pays a day for transfers on a network. 0 turns it off, null restores what is usual there.
 */
export function setTransferBudget(
  ctx: Context,
  networkId: number,
  { daily_wei }: Input<typeof endpoint>['body'],
): Promise<Output<typeof endpoint>> {
  const network = ctx.ports.chains.get(networkId)?.network
  if (!network) throw notFound()
  return inTransaction(ctx, async (tx) => {
    await lockTransferBudget(tx, networkId)
    const before = await tx.db.transferBudget.findFirst({ where: { networkId } })
    await tx.db.transferBudget.updateMany({ where: { networkId }, data: { dailyWei: daily_wei?.toString() ?? null } })
    const after = await transferBudgetOf(tx, network)
    await recordAudit(tx, {
      action: 'transfer_budget.updated',
      subject: { type: 'network', id: String(networkId) },
      before: { dailyWei: dailyWeiOf(network, before) },
      after: { dailyWei: after.daily_wei },
    })
    return after
  })
}
