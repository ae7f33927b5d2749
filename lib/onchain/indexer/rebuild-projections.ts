import { Prisma } from '../../../generated/prisma/client.ts'
import { columns, type RowOf } from '../../db/columns.ts'
import { type SystemContext, inTransaction } from '../../platform/auth/context.ts'
import { asChainFact } from '../../stock/advance-hold.ts'
import { type NewVoucherFact, recordVoucherFacts } from '../vouchers/record-voucher-facts.ts'
import { CHAIN_LOG_COLUMNS, type ChainLogRow } from './moves-of.ts'
import { projectLogs } from './project-logs.ts'
import { reconcileHolds } from './reconcile-holds.ts'
import { undoCollection } from './undo-logs.ts'

const LOGS_PER_READ = 10_000

/**
 * Drops the projections of the stored logs and builds them again, to the same tables: history, owners, counters, holds.
 * Where that changes which vouchers are used, the differences are queued as facts. Of one collection or of all, each in
 * a transaction of its own. No event is recorded twice.
 */
export async function rebuildProjections(worker: SystemContext, collectionId?: string): Promise<void> {
  const collections = await worker.db.collection.findMany({
    where: { networkId: { not: null }, ...(collectionId && { id: collectionId }) },
    select: { id: true, networkId: true },
    orderBy: { id: 'asc' },
  })
  for (const { id, networkId } of collections)
    await inTransaction(worker, async (tx) => {
      await tx.sql(Prisma.sql`SELECT 1 FROM chain_cursors WHERE network_id = ${networkId} FOR UPDATE`)
      await rebuildCollection(tx, id)
    })
}

/**
 * Drops the projections of a collection's stored logs from a block on and builds them again. The network's cursor is
 * locked. Where that changes which vouchers were redeemed, facts say so.
 */
export async function rebuildCollection(tx: SystemContext, collectionId: string, from = 0n): Promise<void> {
  const before = await redemptionsIn(tx, collectionId)
  await undoCollection(tx, collectionId, from)
  for (let after: bigint | null = from - 1n; after !== null;) {
    const logs: ChainLogRow[] = await nextLogs(tx, collectionId, after)
    await projectLogs(tx, logs, { rebuilding: true })
    after = logs.at(-1)?.blockNumber ?? null
  }
  await reconcileCollection(tx, collectionId)
  const after = await redemptionsIn(tx, collectionId)
  await recordVoucherFacts(tx, without(before, after, 'UNREDEEMED'))
  await recordVoucherFacts(tx, without(after, before, 'REDEEMED'))
}

const REDEMPTION = columns('h', 'ItemHistory', [
  'organizationId',
  'networkId',
  'voucherId',
  'txHash',
  'blockNumber',
  'logIndex',
])
type Redemption = RowOf<typeof REDEMPTION> & { voucherId: string }

/** The mints of a collection that redeemed a voucher. */
const redemptionsIn = (tx: SystemContext, collectionId: string): Promise<Redemption[]> =>
  tx.sql<Redemption>(Prisma.sql`
    SELECT ${Prisma.raw(REDEMPTION)} FROM item_history h
    WHERE collection_id = ${collectionId}::uuid AND voucher_id IS NOT NULL`)

const keyOf = ({ voucherId, txHash }: Redemption): string => `${voucherId} ${txHash}`

/** Those of `these` that aren't among `others`. */
function without(
  these: readonly Redemption[],
  others: readonly Redemption[],
  type: NewVoucherFact['type'],
): NewVoucherFact[] {
  const known = new Set(others.map(keyOf))
  return these.filter((one) => !known.has(keyOf(one))).map((one) => ({ ...one, type }))
}

/** Reconciles the holds of a collection's items once all of its logs are entered. */
async function reconcileCollection(tx: SystemContext, collectionId: string): Promise<void> {
  const promised = await tx.sql<{ id: string }>(Prisma.sql`
    SELECT DISTINCT item_id::text AS id FROM holds
    WHERE collection_id = ${collectionId}::uuid AND item_id IS NOT NULL AND state IN ('HELD', 'EXCEPTION')`)
  await asChainFact(tx, () =>
    reconcileHolds(
      tx,
      promised.map(({ id }) => id),
      { restore: true },
    ),
  )
}

/** The next logs of a collection, up to the end of a block. */
const nextLogs = (tx: SystemContext, collectionId: string, after: bigint): Promise<ChainLogRow[]> =>
  tx.sql<ChainLogRow>(Prisma.sql`
    SELECT ${Prisma.raw(CHAIN_LOG_COLUMNS)} FROM chain_logs l
    WHERE collection_id = ${collectionId}::uuid AND block_number > ${after} AND block_number <= coalesce(
      (SELECT block_number FROM chain_logs WHERE collection_id = ${collectionId}::uuid AND block_number > ${after}
        ORDER BY block_number OFFSET ${LOGS_PER_READ - 1} LIMIT 1), 9223372036854775807)
    ORDER BY block_number, log_index`)
