import type { Hex } from 'viem'
import { withinTransaction, type SystemContext } from '../../platform/auth/context.ts'
import type { Chain } from '../../ports/chain/chain.ts'
import { log } from '../../core/log.ts'
import { isDatabaseDown } from '../../db/errors.ts'
import { advanceMints } from '../mints/advance-mint.ts'
import { advanceTransfer } from '../transfers/advance-transfer.ts'
import { advanceTransaction } from './advance-transaction.ts'
import { carriesMints, SENDING, type SendingRow } from './sending-row.ts'

const BATCH = 50

/**
 * Moves transactions that a reorg undid back to SUBMITTED, so that their bytes are broadcast again. Goes down from the
 * newest block until one is intact. How deep the reorg went is judged by the indexer (walkBack), which knows the blocks
 * that were there: from the head at which it is noticed here, every reorg seems deep that happened while no worker ran.
 * false: some may still have to be moved, so try again.
 */
export async function stepBackReorged(worker: SystemContext, chain: Chain): Promise<boolean> {
  let isWhole = true
  for (let below: { blockNumber: bigint; id: string } | null = null; ;) {
    const rows: SendingRow[] = await worker.db.transaction.findMany({
      where: {
        networkId: chain.network.id,
        state: { not: 'SUBMITTED' },
        blockNumber: { not: null },
        finalAt: null,
        ...(below && {
          OR: [{ blockNumber: { lt: below.blockNumber } }, { blockNumber: below.blockNumber, id: { lt: below.id } }],
        }),
      },
      include: SENDING,
      orderBy: [{ blockNumber: 'desc' }, { id: 'desc' }],
      take: BATCH,
    })
    const found = await stepBackUndone(worker, chain, rows)
    if (found.includes('unsure')) isWhole = false
    const last = rows.at(-1)
    if (!last || rows.length < BATCH || found.at(-1) === 'there') return isWhole
    below = { blockNumber: last.blockNumber!, id: last.id }
  }
}

/**
 * there: in its block. moved: it wasn't, and was moved back. unsure: the node doesn't know its block, or it couldn't be
 * moved.
 */
type BlockPlace = 'there' | 'moved' | 'unsure'

/**
 * Moves those of these transactions back that aren't in their blocks any more, and tells of each. One that can't be
 * moved stops none of the others.
 */
export async function stepBackUndone(
  worker: SystemContext,
  chain: Chain,
  rows: readonly SendingRow[],
): Promise<BlockPlace[]> {
  const places = await Promise.all(rows.map((row) => lookFor(chain, row)))
  const found: BlockPlace[] = []
  for (const [at, row] of rows.entries()) found.push(places[at] === 'gone' ? await stepBack(worker, row) : places[at]!)
  return found
}

/** Whether it is in its block. A lagging node isn't believed; the local chain is a single node. */
async function lookFor(chain: Chain, row: SendingRow): Promise<'there' | 'gone' | 'unsure'> {
  const receipt = await chain.receipt(row.txHash as Hex)
  if (receipt?.blockHash === row.blockHash) return 'there'
  if (chain.network.finality === 'never') return 'gone'
  const block = await chain.block(row.blockNumber!)
  if (!block) return 'unsure'
  return block.hash === row.blockHash ? 'there' : 'gone'
}

/** Moves one back to SUBMITTED: a reorg undid it, or its final receipt isn't the one by which it was completed. */
export async function stepBack(worker: SystemContext, row: SendingRow): Promise<BlockPlace> {
  const transfer =
    row.txType === 'SIGNED_TRANSFER'
      ? await worker.db.signedTransfer.findFirst({ where: { transactionId: row.id }, select: { state: true } })
      : null
  // A failed call was reported as failed: its bytes must not take effect later, only its nonce must be used up.
  const isOver =
    row.state !== 'COMPLETED' ||
    (carriesMints(row.txType) && row.mintRequests.length === 0) ||
    transfer?.state === 'FAILED'
  try {
    await withinTransaction(worker, row.organizationId, async (tx) => {
      await advanceTransaction(tx, row, 'SUBMITTED', {
        onChainStatus: null,
        blockNumber: null,
        blockHash: null,
        gasUsed: null,
        completedAt: null,
        ...(isOver && { cancelRequestedAt: row.cancelRequestedAt ?? tx.now() }),
      })
      await advanceMints(
        tx,
        row.mintRequests.filter(({ state }) => state === 'COMPLETED'),
        'SUBMITTED',
        { txHash: row.txHash },
      )
      if (transfer?.state === 'COMPLETED') await advanceTransfer(tx, row, 'SUBMITTED', { txHash: row.txHash })
      await tx.db.signedTransaction.updateMany({
        where: { transactionId: row.id },
        data: { broadcastAt: null, nextBroadcastAt: null },
      })
    })
    return 'moved'
  } catch (error) {
    if (isDatabaseDown(error)) throw error
    log.error({ error, transaction_id: row.id }, 'A transaction that a reorg undid can’t be taken back.')
    return 'unsure'
  }
}
