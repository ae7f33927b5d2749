import type { Hex } from 'viem'
import type { WorkerContext } from '../../platform/auth/context.ts'
import type { Chain } from '../../ports/chain/chain.ts'
import { carriesMints, SENDING, type SendingRow } from './sending-row.ts'
import { applyReceipt } from './apply-receipt.ts'
import { sweepOnChain } from './sweep-on-chain.ts'
import type { Tip } from './tip.ts'

const BATCH = 50
const ENDING = { kind: 'make transaction final', failure: 'A transaction in a final block can’t be completed.' }

/**
 * Marks transactions in final blocks, which needn't be watched any more; mints that they left out fail permanently. Those that no
 * node has a receipt of, or of which something is undecided, hold up none of the others. The local chain is never final.
 */
export async function makeFinal(worker: WorkerContext, chain: Chain, tip: Tip): Promise<void> {
  if (chain.network.finality === 'never') return
  for (let last: SendingRow | undefined; ;) {
    const rows: SendingRow[] = await worker.db.transaction.findMany({
      where: {
        networkId: chain.network.id,
        state: { not: 'SUBMITTED' },
        blockNumber: { lte: tip.finalTo },
        finalAt: null,
        ...(last && { id: { gt: last.id } }),
      },
      include: SENDING,
      orderBy: { id: 'asc' },
      take: BATCH,
    })
    await sweepOnChain(worker, ENDING, rows, (row) => makeRowFinal(worker, chain, tip, row))
    last = rows.at(-1)
    if (rows.length < BATCH) return
  }
}

async function makeRowFinal(worker: WorkerContext, chain: Chain, tip: Tip, row: SendingRow): Promise<void> {
  const receipt = await chain.receipt(row.txHash as Hex)
  const signed = row.signed.find(({ hash }) => hash === row.txHash)
  if (!receipt || !signed || receipt.blockHash !== row.blockHash) return
  if (carriesMints(row.txType) && row.mintRequests.some((mint) => mint.state === 'SUBMITTED')) {
    await applyReceipt(worker, chain, row, { signed, receipt }, tip)
    const undecided = await worker.db.mintRequest.count({ where: { transactionId: row.id, state: 'SUBMITTED' } })
    if (undecided > 0) return
  }
  await worker.db.transaction.updateMany({
    where: { id: row.id, finalAt: null },
    data: { finalAt: worker.now() },
  })
}
