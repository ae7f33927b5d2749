import { zeroAddress } from 'viem'
import { type Collection, Prisma, type Snapshot } from '../../../generated/prisma/client.ts'
import { type Context, inTransaction, within, type WorkerContext } from '../../platform/auth/context.ts'
import { type Chain, ChainUnavailable } from '../../ports/chain/chain.ts'
import { findReady, sweepAny } from '../../platform/jobs/sweep.ts'
import { lastBlockAt } from '../../onchain/indexer/last-block-at.ts'
import { tipOf } from '../../onchain/transactions/tip.ts'

const BATCH = 50
const TASK = { kind: 'take snapshots', failure: 'A snapshot could not be taken yet.' }

/** Takes the pending snapshots whose block is final and indexed. Returns how many were taken. */
export async function takeSnapshots(worker: WorkerContext): Promise<number> {
  const waiting = await findReady(worker, TASK, BATCH, (range) =>
    worker.db.snapshot.findMany({
      where: { readyAt: null, failure: null },
      orderBy: [{ updatedAt: 'asc' }, { id: 'asc' }],
      include: { collection: true },
      ...range,
    }),
  )
  return sweepAny(worker, TASK, waiting, ({ collection, ...snapshot }) => takeOrDefer(worker, snapshot, collection), {
    ignore: (error) => error instanceof ChainUnavailable,
  })
}

/** A snapshot that can't be taken yet goes to the end of the queue. */
async function takeOrDefer(worker: WorkerContext, snapshot: Snapshot, collection: Collection): Promise<boolean> {
  if (await takeSnapshot(worker, snapshot, collection)) return true
  await worker.db.snapshot.updateMany({
    where: { id: snapshot.id, readyAt: null },
    data: { updatedAt: worker.now() },
  })
  return false
}

async function takeSnapshot(worker: WorkerContext, snapshot: Snapshot, collection: Collection): Promise<boolean> {
  const chain = worker.ports.chains.get(collection.networkId ?? -1)
  if (!chain) return false
  const ready = await findFinalIndexedBlock(worker, chain, collection)
  const block = ready === null ? null : (snapshot.blockNumber ?? (await lastBlockAt(chain, snapshot.at!, ready)))
  if (ready === null || block === null || block > ready) return false
  return within(worker, snapshot.organizationId, (ctx) =>
    inTransaction(ctx, async (tx) => {
      const { count } = await tx.db.snapshot.updateMany({
        where: { id: snapshot.id, readyAt: null },
        data: { readyAt: tx.now(), blockNumber: block },
      })
      if (count > 0) await writeHolders(tx, snapshot, block)
      return count > 0
    }),
  )
}

/** The last final block up to which this contract's logs are indexed; null when there is none yet. */
async function findFinalIndexedBlock(
  worker: WorkerContext,
  chain: Chain,
  { following, indexedTo }: Collection,
): Promise<bigint | null> {
  const cursor = await worker.db.chainCursor.findUnique({ where: { networkId: chain.network.id } })
  const indexed = following ? (cursor?.number ?? null) : indexedTo
  if (indexed === null) return null
  const { finalTo } = await tipOf(chain)
  return finalTo < indexed ? finalTo : indexed
}

/** Stores each address with a positive balance (received minus sent) up to and including a block. */
const writeHolders = (tx: Context, { id, organizationId, collectionId }: Snapshot, block: bigint) =>
  tx.sql(Prisma.sql`
    INSERT INTO snapshot_holders (organization_id, snapshot_id, address, quantity)
    SELECT ${organizationId}::uuid, ${id}::uuid, address, least(sum(quantity), ${MAX_QUANTITY.toString()}::numeric)
    FROM (
      SELECT to_address AS address, quantity FROM item_history WHERE collection_id = ${collectionId}::uuid AND block_number <= ${block}
      UNION ALL
      SELECT from_address, -quantity FROM item_history WHERE collection_id = ${collectionId}::uuid AND block_number <= ${block}
    ) moves
    WHERE address <> ${zeroAddress}
    GROUP BY address HAVING sum(quantity) > 0`)
const MAX_QUANTITY = 10n ** 78n - 1n
