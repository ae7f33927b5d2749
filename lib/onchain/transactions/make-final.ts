import type { Hex } from 'viem'
import { Prisma } from '../../../generated/prisma/client.ts'
import type { SystemContext } from '../../platform/auth/context.ts'
import type { Chain } from '../../ports/chain/chain.ts'
import { readUnenteredAgain } from '../indexer/read-again.ts'
import { carriesMints, SENDING, type SendingRow } from './sending-row.ts'
import type { Mined } from './agreed-receipt.ts'
import { applyReceipt } from './apply-receipt.ts'
import { stepBackUndone } from './step-back.ts'
import { sweepOnChain } from './sweep-on-chain.ts'
import type { Tip } from './tip.ts'

const BATCH = 50
const ENDING = {
  kind: 'make transaction final',
  failure: 'A transaction in a final block can’t be completed.',
} as const

/**
 * Marks transactions in final blocks, which needn't be watched any more; mints that they left out fail permanently.
 * Several nodes are asked first about those that the index doesn't show. One that isn't in its block was undone by a
 * reorg that nobody noticed: it is broadcast again. Those that no node has a receipt of, or of which something is
 * undecided, hold up none of the others. The local chain is never final.
 */
export async function makeFinal(worker: SystemContext, chain: Chain, tip: Tip): Promise<void> {
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
    if (rows.length === 0) return
    const found = await findThere(worker, chain, rows)
    const settled = new Set<string>()
    await sweepOnChain(worker, ENDING, found, async (row) => {
      if (row.isProved || (await applyReceipt(worker, chain, row, row.mined, tip))) settled.add(row.id)
    })
    await markFinal(
      worker,
      chain,
      tip,
      found.filter(({ id }) => settled.has(id)),
    )
    last = rows.at(-1)
    if (rows.length < BATCH) return
  }
}

type There = SendingRow & { mined: Mined; isProved: boolean }

/**
 * Those that are on the chain, with their receipts by one node. The others are moved back, where their block isn't
 * there any more.
 */
async function findThere(worker: SystemContext, chain: Chain, rows: readonly SendingRow[]): Promise<There[]> {
  const receipts = await Promise.all(rows.map(({ txHash }) => chain.receipt(txHash as Hex)))
  const elsewhere = rows.filter((row, at) => receipts[at]?.blockHash !== row.blockHash)
  const places = await stepBackUndone(worker, chain, elsewhere)
  const away = new Set(elsewhere.filter((_, at) => places[at] !== 'there'))
  const shown = await shownByIndex(worker, rows)
  return rows.flatMap((row, at) => {
    const signed = row.signed.find(({ hash }) => hash === row.txHash)
    const receipt = receipts[at]
    if (!signed || !receipt || away.has(row)) return []
    const isAsRecorded = receipt.blockHash === row.blockHash && receipt.status === 'success' && shown.has(row.id)
    return { ...row, mined: { signed, receipt }, isProved: row.state !== 'COMPLETED' || isAsRecorded }
  })
}

/**
 * Those of these whose mints or transfers are all completed, by logs of theirs that are entered: the index proves what
 * one node's receipt says.
 */
async function shownByIndex(worker: SystemContext, rows: readonly SendingRow[]): Promise<ReadonlySet<string>> {
  const mints = rows
    .filter(({ txType, onChainStatus }) => carriesMints(txType) && onChainStatus === 'SUCCESS')
    .flatMap(({ txHash, blockNumber, mintRequests }) => mintRequests.map(({ id }) => ({ id, txHash, blockNumber })))
  if (mints.length === 0) return new Set()
  const shown = await worker.sql<{ id: string }>(Prisma.sql`
    SELECT m.id::text FROM unnest(
        ${mints.map(({ id }) => id)}::uuid[], ${mints.map(({ txHash }) => txHash)}::text[],
        ${mints.map(({ blockNumber }) => String(blockNumber))}::text[]::bigint[]
      ) AS m(id, tx_hash, block_number)
      JOIN holds h ON h.holder_type = 'MINT_REQUEST' AND h.holder_id = m.id AND h.state = 'CONSUMED'
    WHERE EXISTS (SELECT 1 FROM item_history x WHERE x.tx_hash = m.tx_hash AND x.network_id = ${rows[0]!.networkId}
        AND x.block_number = m.block_number AND x.hold_id = h.id)`)
  const done = new Set(shown.map(({ id }) => id))
  const whole = rows.filter(
    ({ mintRequests }) =>
      mintRequests.length > 0 && mintRequests.every(({ id, state }) => state === 'COMPLETED' && done.has(id)),
  )
  return new Set(whole.map(({ id }) => id))
}

/**
 * Marks those whose mints and transfers are all decided. Blocks of those that the index doesn't show are read again.
 */
async function markFinal(
  worker: SystemContext,
  { network }: Chain,
  { finalTo }: Tip,
  rows: readonly There[],
): Promise<void> {
  const asked = rows.map(({ id }) => id)
  const undecided = await worker.db.mintRequest.findMany({
    where: { transactionId: { in: asked }, state: 'SUBMITTED' },
    select: { transactionId: true },
  })
  const transfers = await worker.db.signedTransfer.findMany({
    where: { transactionId: { in: asked }, state: 'SUBMITTED' },
    select: { transactionId: true },
  })
  const waiting = new Set([...undecided, ...transfers].map(({ transactionId }) => transactionId))
  const ids = asked.filter((id) => !waiting.has(id))
  if (ids.length === 0) return
  const unseen = rows.filter(({ id, isProved }) => !isProved && !waiting.has(id)).map(({ id }) => id)
  if (unseen.length > 0) await readUnenteredAgain(worker, network.id, unseen)
  await worker.db.transaction.updateMany({
    where: { id: { in: ids }, state: { not: 'SUBMITTED' }, blockNumber: { lte: finalTo }, finalAt: null },
    data: { finalAt: worker.now() },
  })
}
