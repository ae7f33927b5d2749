import { Prisma } from '../../../generated/prisma/client.ts'
import { inTransaction, type SystemContext } from '../../platform/auth/context.ts'
import type { Chain } from '../../ports/chain/chain.ts'
import { WATCHED, type WatchedRow } from './sending-row.ts'
import type { Tip } from './tip.ts'

/** Where a pass ended among the transactions that lie deep enough. null: at their end, or before their beginning. */
export type Passed = { blockNumber: bigint; id: string } | null

const MAX_ROWS = 1_000

/**
 * The submitted transactions that a pass looks at: those that are in no block as far as we know, by their nonces, and
 * those that lie deep enough to be completed, the oldest first, after what the last pass ended with. What only waits
 * for more blocks isn't read: `leaveUndoneBlocks` notices a reorg.
 */
export async function findSubmitted(
  worker: SystemContext,
  { network }: Chain,
  { head }: Tip,
  after: Passed,
): Promise<{ rows: WatchedRow[]; passed: Passed }> {
  const deep = head.number - BigInt(network.confirmations) + 1n
  // The state is a literal, which the index of what is submitted needs.
  const found = await worker.sql<{ id: string; blockNumber: bigint | null }>(Prisma.sql`
    (SELECT id::text, block_number AS "blockNumber" FROM transactions
      WHERE network_id = ${network.id} AND state = 'SUBMITTED' AND block_number IS NULL
      ORDER BY operator, nonce LIMIT ${MAX_ROWS})
    UNION ALL
    (SELECT id::text, block_number FROM transactions
      WHERE network_id = ${network.id} AND state = 'SUBMITTED' AND block_number <= ${deep}
        AND (block_number, id) > (${after?.blockNumber ?? -1n}, ${after?.id ?? NIL}::uuid)
      ORDER BY block_number, id LIMIT ${MAX_ROWS})`)
  if (found.length === 0) return { rows: [], passed: null }
  const rows = await worker.db.transaction.findMany({
    where: { id: { in: found.map(({ id }) => id) }, state: 'SUBMITTED' },
    include: WATCHED,
    orderBy: [{ operator: 'asc' }, { nonce: 'asc' }],
  })
  const mined = found.flatMap(({ id, blockNumber }) => (blockNumber === null ? [] : { id, blockNumber }))
  return { rows, passed: mined.length < MAX_ROWS ? null : mined.at(-1)! }
}

/** Sorts before every id. */
const NIL = '00000000-0000-0000-0000-000000000000'

/**
 * Takes submitted transactions out of blocks that aren't on the chain any more, so that they are broadcast and looked
 * for again. A lagging node isn't believed; the local chain is a single node. false: it doesn't know some of the
 * blocks, so try again.
 */
export async function leaveUndoneBlocks(worker: SystemContext, chain: Chain): Promise<boolean> {
  const { id: networkId, finality } = chain.network
  const blocks = await worker.sql<{ number: bigint; hash: string }>(Prisma.sql`
    SELECT DISTINCT block_number AS number, block_hash AS hash FROM transactions
    WHERE network_id = ${networkId} AND state = 'SUBMITTED' AND block_number IS NOT NULL`)
  const onChain = await Promise.all(blocks.map(({ number }) => chain.block(number)))
  const undone = blocks.flatMap(({ hash }, at) => {
    const block = onChain[at]
    return (block ? block.hash !== hash : finality === 'never') ? hash : []
  })
  const isWhole = finality === 'never' || !onChain.includes(null)
  if (undone.length === 0) return isWhole
  await inTransaction(worker, async (tx) => {
    const left = await tx.sql<{ id: string }>(Prisma.sql`
      UPDATE transactions SET block_number = NULL, block_hash = NULL, updated_at = ${tx.now()}
      WHERE network_id = ${networkId} AND state = 'SUBMITTED' AND block_number IS NOT NULL
        AND block_hash = ANY (${undone})
      RETURNING id::text`)
    await tx.db.signedTransaction.updateMany({
      where: { transactionId: { in: left.map(({ id }) => id) } },
      data: { nextBroadcastAt: null },
    })
  })
  return isWhole
}
