import { Prisma } from '../../../generated/prisma/client.ts'
import { type WorkerContext, inTransaction } from '../../platform/auth/context.ts'
import { asChainFact } from '../../stock/advance-hold.ts'
import type { ChainLogRow } from './moves-of.ts'
import { projectLogs } from './project-logs.ts'
import { reconcileHolds } from './reconcile-holds.ts'
import { undoCollection } from './undo-logs.ts'

const LOGS_PER_READ = 10_000

/**
 * Drops the projections of the stored logs and builds them again, to the same tables: history, owners, counters, holds,
 * vouchers. Of one collection or of all, each in a transaction of its own. No event is recorded twice.
 */
export async function rebuildProjections(worker: WorkerContext, collectionId?: string): Promise<void> {
  const collections = await worker.db.collection.findMany({
    where: { networkId: { not: null }, ...(collectionId && { id: collectionId }) },
    select: { id: true, networkId: true },
    orderBy: { id: 'asc' },
  })
  for (const { id, networkId } of collections)
    await inTransaction(worker, async (tx) => {
      await tx.sql(Prisma.sql`SELECT 1 FROM chain_cursors WHERE network_id = ${networkId} FOR UPDATE`)
      await undoCollection(tx, id)
      for (let after: bigint | null = -1n; after !== null;) {
        const logs = await nextLogs(tx, id, after)
        await projectLogs(tx, logs, { reconcile: false })
        after = logs.at(-1)?.blockNumber ?? null
      }
      await reconcileCollection(tx, id)
    })
}

/** Reconciles the holds of a collection's items once all of its logs are entered. */
async function reconcileCollection(tx: WorkerContext, collectionId: string): Promise<void> {
  const promised = await tx.sql<{ id: string }>(Prisma.sql`
    SELECT DISTINCT item_id::text AS id FROM holds WHERE collection_id = ${collectionId}::uuid AND item_id IS NOT NULL AND state IN ('HELD', 'EXCEPTION')`)
  await asChainFact(tx, () =>
    reconcileHolds(
      tx,
      promised.map(({ id }) => id),
      { restore: true },
    ),
  )
}

/** The next logs of a collection, up to the end of a block. */
const nextLogs = (tx: WorkerContext, collectionId: string, after: bigint): Promise<ChainLogRow[]> =>
  tx.sql<ChainLogRow>(Prisma.sql`
    SELECT organization_id::text AS "organizationId", collection_id::text AS "collectionId", network_id AS "networkId", tx_hash AS "txHash",
      log_index AS "logIndex", block_number AS "blockNumber", block_hash AS "blockHash", timestamp, topics, data
    FROM chain_logs
    WHERE collection_id = ${collectionId}::uuid AND block_number > ${after} AND block_number <= coalesce(
      (SELECT block_number FROM chain_logs WHERE collection_id = ${collectionId}::uuid AND block_number > ${after}
        ORDER BY block_number OFFSET ${LOGS_PER_READ - 1} LIMIT 1), 9223372036854775807)
    ORDER BY block_number, log_index`)
