import type { Hex } from 'viem'
import type { WorkerContext } from '../../platform/auth/context.ts'
import type { Chain } from '../../ports/chain/chain.ts'
import { carriesMints, SENDING } from './sending-row.ts'
import { applyReceipt } from './apply-receipt.ts'
import type { Tip } from './tip.ts'

const BATCH = 50

/**
 * Marks transactions in final blocks, which needn't be watched any more; mints that they left out fail permanently. The
 * local chain is never final.
 */
export async function makeFinal(worker: WorkerContext, chain: Chain, tip: Tip): Promise<void> {
  if (chain.network.finality === 'never') return
  const rows = await worker.db.transaction.findMany({
    where: {
      networkId: chain.network.id,
      state: { not: 'SUBMITTED' },
      blockNumber: { lte: tip.finalTo },
      finalAt: null,
    },
    include: SENDING,
    orderBy: { blockNumber: 'asc' },
    take: BATCH,
  })
  for (const row of rows) {
    const receipt = await chain.receipt(row.txHash as Hex)
    const signed = row.signed.find(({ hash }) => hash === row.txHash)
    if (!receipt || !signed || receipt.blockHash !== row.blockHash) continue
    if (carriesMints(row.txType) && row.mintRequests.some((mint) => mint.state === 'SUBMITTED'))
      await applyReceipt(worker, chain, row, { signed, receipt }, tip)
    await worker.db.transaction.updateMany({
      where: { id: row.id, finalAt: null },
      data: { finalAt: worker.now() },
    })
  }
}
