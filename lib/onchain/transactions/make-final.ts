import type { Hex } from 'viem'
import type { WorkerContext } from '../../platform/auth/context.ts'
import type { Chain, Receipt } from '../../ports/chain/chain.ts'
import { carriesMints, SENDING, type SendingRow } from './sending-row.ts'
import { applyReceipt, type Mined } from './apply-receipt.ts'
import { stepBackUndone } from './step-back.ts'
import { sweepOnChain } from './sweep-on-chain.ts'
import type { Tip } from './tip.ts'

const BATCH = 50
const ENDING = {
  kind: 'make transaction final',
  failure: 'A transaction in a final block can’t be completed.',
} as const

/**
 * Marks transactions in final blocks, which needn't be watched any more; mints that they left out fail permanently. One that isn't in its block
 * was undone by a reorg that nobody noticed: it is broadcast again. Those that no node has a receipt of, or of which something is undecided,
 * hold up none of the others. The local chain is never final.
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
    const receipts = await Promise.all(rows.map(({ txHash }) => chain.receipt(txHash as Hex)))
    const found = rows.map((row, at) => minedOf(row, receipts[at] ?? null))
    const mined = found.filter((row) => row !== null)
    await stepBackUndone(
      worker,
      chain,
      rows.filter((_, at) => found[at] === null),
    )
    await sweepOnChain(worker, ENDING, mined.filter(hasUndecided), (row) =>
      applyReceipt(worker, chain, row, row.mined, tip),
    )
    await markFinal(worker, mined)
    last = rows.at(-1)
    if (rows.length < BATCH) return
  }
}

type MinedRow = SendingRow & { mined: Mined }

/** null while no node has its receipt in its block. */
function minedOf(row: SendingRow, receipt: Receipt | null): MinedRow | null {
  const signed = row.signed.find(({ hash }) => hash === row.txHash)
  return receipt && signed && receipt.blockHash === row.blockHash ? { ...row, mined: { signed, receipt } } : null
}

/** A signed transfer whose transaction reverted is decided in a final block, too. */
const hasUndecided = ({ txType, mintRequests, onChainStatus }: SendingRow): boolean =>
  (carriesMints(txType) && mintRequests.some(({ state }) => state === 'SUBMITTED')) ||
  (txType === 'SIGNED_TRANSFER' && onChainStatus === 'FAILURE')

/** Those without mints or a transfer that are undecided. */
async function markFinal(worker: WorkerContext, rows: readonly SendingRow[]): Promise<void> {
  const asked = rows.filter(hasUndecided).map(({ id }) => id)
  const undecided = await worker.db.mintRequest.findMany({
    where: { transactionId: { in: asked }, state: 'SUBMITTED' },
    select: { transactionId: true },
  })
  const transfers = await worker.db.signedTransfer.findMany({
    where: { transactionId: { in: asked }, state: 'SUBMITTED' },
    select: { transactionId: true },
  })
  const waiting = new Set([...undecided, ...transfers].map(({ transactionId }) => transactionId))
  const ids = rows.map(({ id }) => id).filter((id) => !waiting.has(id))
  if (ids.length === 0) return
  await worker.db.transaction.updateMany({
    where: { id: { in: ids }, finalAt: null },
    data: { finalAt: worker.now() },
  })
}
