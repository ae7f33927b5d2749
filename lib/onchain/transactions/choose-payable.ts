import type { SystemContext } from '../../platform/auth/context.ts'
import { readLeftOfGasBudget } from '../../orders/gas-budget.ts'
import type { Lane } from './lane.ts'
import type { SendingRow } from './sending-row.ts'
import { type FirstSigning, mostOf } from './sign-transaction.ts'

/** A transaction that is ready to be signed, as it was read. */
export type ReadyRow = { id: string; row: SendingRow; ready: FirstSigning }

/**
 * Chooses the transactions that a round can pay for, in its order. `passedOver`: those that the whole balance doesn't
 * cover; the others go. `isHeldUp`: one is covered once the transactions in flight are mined, and those behind it wait,
 * since smaller ones would take its coins for ever.
 */
export function choosePayable<R extends Pick<ReadyRow, 'ready'>>(
  rows: readonly R[],
  { spendableWei, balanceWei }: Pick<Lane, 'spendableWei' | 'balanceWei'>,
): { paid: R[]; passedOver: R[]; isHeldUp: boolean } {
  const chosen = { paid: [] as R[], passedOver: [] as R[], isHeldUp: false }
  let left = spendableWei
  for (const row of rows) {
    const cost = mostOf(row.ready)
    if (cost > balanceWei) chosen.passedOver.push(row)
    else if (cost > left) return { ...chosen, isHeldUp: true }
    else {
      left -= cost
      chosen.paid.push(row)
    }
  }
  return chosen
}

/**
 * Divides transactions by the gas budgets of their organizations. Ours were counted with their most when they were
 * written; a foreign contract may want more than that, and what exceeds it is paid only as far as the budget goes.
 */
export async function chooseWithinBudgets<R extends ReadyRow>(
  worker: SystemContext,
  networkId: number,
  rows: readonly R[],
): Promise<{ affordable: R[]; beyond: R[] }> {
  const left = new Map<string, bigint | null>()
  const divided = { affordable: [] as R[], beyond: [] as R[] }
  for (const one of rows) {
    const { organizationId, collection, gasCostWei } = one.row
    if (collection.deploymentType !== 'EXTERNAL') {
      divided.affordable.push(one)
      continue
    }
    if (!left.has(organizationId))
      left.set(organizationId, await readLeftOfGasBudget(worker, { organizationId, networkId }))
    const most = mostOf(one.ready)
    const budget = left.get(organizationId) ?? null
    const isCounted = most <= BigInt(gasCostWei?.toFixed() ?? 0)
    if (budget !== null && !isCounted && most > budget) divided.beyond.push(one)
    else {
      if (budget !== null) left.set(organizationId, budget - most)
      divided.affordable.push(one)
    }
  }
  return divided
}
