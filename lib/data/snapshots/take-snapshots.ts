import type { Collection, Snapshot } from '../../../generated/prisma/client.ts'
import { within, type SystemContext } from '../../platform/auth/context.ts'
import { type Chain, ChainUnavailable } from '../../ports/chain/chain.ts'
import { crashPoint } from '../../core/crash.ts'
import { findReady, sweepAny } from '../../platform/jobs/sweep.ts'
import { lastBlockAt } from '../../onchain/indexer/last-block-at.ts'
import { readFinalEntered } from '../../onchain/indexer/read-indexed.ts'
import { addMoves, beginSnapshot } from './add-moves.ts'

const BATCH = 50
/** Batches of one snapshot in one round, so that a large one doesn't delay a small one. */
const ROUND = { batches: 20, moves: 10_000 }
const TASK = { kind: 'take snapshots', failure: 'A snapshot could not be taken yet.' } as const

/**
 * Takes the pending snapshots whose block is final and indexed, the large ones in several rounds. Returns how many were
 * completed.
 */
export async function takeSnapshots(worker: SystemContext, round = ROUND): Promise<number> {
  const waiting = await findReady(worker, TASK, BATCH, (range) =>
    worker.db.snapshot.findMany({
      where: { readyAt: null, failure: null },
      orderBy: [{ updatedAt: 'asc' }, { id: 'asc' }],
      include: { collection: true },
      ...range,
    }),
  )
  return sweepAny(
    worker,
    TASK,
    waiting,
    ({ collection, ...snapshot }) => takeOrDefer(worker, snapshot, collection, round),
    {
      ignore: (error) => error instanceof ChainUnavailable,
    },
  )
}

/** A snapshot that isn't completed goes to the end of the queue. */
async function takeOrDefer(
  worker: SystemContext,
  snapshot: Snapshot,
  collection: Collection,
  round: typeof ROUND,
): Promise<boolean> {
  if (await takeSnapshot(worker, snapshot, collection, round)) return true
  await worker.db.snapshot.updateMany({
    where: { id: snapshot.id, readyAt: null },
    data: { updatedAt: worker.now() },
  })
  return false
}

async function takeSnapshot(
  worker: SystemContext,
  snapshot: Snapshot,
  collection: Collection,
  { batches, moves }: typeof ROUND,
): Promise<boolean> {
  const chain = worker.ports.chains.get(collection.networkId ?? -1)
  if (!chain) return false
  const ready = await findFinalIndexedBlock(worker, chain, collection)
  const block = ready === null ? null : (snapshot.blockNumber ?? (await lastBlockAt(chain, snapshot.at!, ready)))
  if (ready === null || block === null || block > ready) return false
  return within(worker, snapshot.organizationId, async (ctx) => {
    if (snapshot.takenTo === null) await beginSnapshot(ctx, snapshot, block)
    crashPoint('snapshot_begun')
    for (let batch = 0; batch < batches; batch++) {
      if (await addMoves(ctx, snapshot.id, moves)) return true
      crashPoint('moves_added')
    }
    return false
  })
}

/** The last final block up to which this contract's logs are indexed; null when there is none yet. */
async function findFinalIndexedBlock(
  worker: SystemContext,
  chain: Chain,
  { following, indexedTo }: Collection,
): Promise<bigint | null> {
  const entered = await readFinalEntered(worker, chain)
  const indexed = following ? entered : indexedTo
  if (entered === null || indexed === null) return null
  return indexed < entered ? indexed : entered
}
