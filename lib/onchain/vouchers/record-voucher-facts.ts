import type { VoucherFact } from '../../../generated/prisma/client.ts'
import type { SystemContext } from '../../platform/auth/context.ts'

export type NewVoucherFact = Pick<
  VoucherFact,
  'organizationId' | 'networkId' | 'voucherId' | 'type' | 'txHash' | 'blockNumber' | 'logIndex'
>

/** Queues what the chain says of vouchers, in chain order, in the transaction that enters the logs. */
export async function recordVoucherFacts(tx: SystemContext, facts: readonly NewVoucherFact[]): Promise<void> {
  if (facts.length === 0) return
  const inChainOrder = [...facts].sort((a, b) => Number(a.blockNumber - b.blockNumber) || a.logIndex - b.logIndex)
  await tx.db.voucherFact.createMany({
    data: inChainOrder.map((fact) => ({ ...fact, nextTryAt: tx.now(), createdAt: tx.now() })),
  })
}
