import type { Collection } from '../../../generated/prisma/client.ts'
import { resolveAlarm } from '../../records/alarms/raise-alarm.ts'
import { inTransaction, type SystemContext } from '../../platform/auth/context.ts'
import type { Chain, ChainNode } from '../../ports/chain/chain.ts'
import { crashPoint } from '../../core/crash.ts'
import { attempt } from '../../db/attempt.ts'
import { findStrangersTransfers } from '../escrows/find-strangers-transfers.ts'
import { type Cursor, lockCursor, storeBlocks, readCursor } from './cursor.ts'
import { findFirstBlock } from './find-first-block.ts'
import { findMissingLogs } from './find-missing-logs.ts'
import { findRestOfTransactions } from './find-rest-of-transactions.ts'
import type { ChainLogRow } from './moves-of.ts'
import { projectLogs } from './project-logs.ts'
import { type Followed, readLogs } from './read-logs.ts'
import { keptBlocks, later, MAX_BLOCKS_PER_STEP, readStep, type Step } from './read-step.ts'
import { reportStuck } from './report-stuck.ts'
import { rescanFinal } from './rescan-final.ts'
import { storeLogs } from './store-logs.ts'
import { walkBack } from './walk-back.ts'
import { watchAge, watchNodes } from './watch-nodes.ts'

/** Collections that are backfilled in one round. */
const BACKFILLS_PER_ROUND = 20

/**
 * more: continue at once. caught_up: wait for a block. unsteady: the chain changed while it was read; try again in a
 * moment.
 */
export type Indexed = 'more' | 'caught_up' | 'unsteady'

/**
 * One round of a network's indexer: detects a reorg, enters the next blocks for the collections that have caught up,
 * and a range of earlier ones for those that haven't. Any number of processes may run it: one that finds the cursor
 * moved does nothing.
 */
export async function indexOnce(ctx: SystemContext, chain: Chain): Promise<Indexed> {
  const { network } = chain
  const cursor = await readCursor(ctx, network.id)
  if (!cursor) return begin(ctx, chain)
  const step = await chain
    .atOneNode((node) => readStep(node, network, cursor, () => findFollowed(ctx, network.id)))
    .catch(async (error: unknown) => {
      await watchAge(ctx, chain, cursor, null)
      throw error
    })
  await watchNodes(ctx, chain, cursor, step)
  if (!step.isOnChain) return (await walkBack(ctx, chain, cursor)) ? 'more' : 'unsteady'
  const { head } = step
  const followed = head.number > cursor.number ? await follow(ctx, chain, cursor, step) : 'caught_up'
  if (followed === 'unsteady') return followed
  if (followed === 'more') return followed
  const filled = await backfill(ctx, chain)
  const rescanned = await rescanFinal(ctx, chain, step)
  return filled === 'caught_up' ? rescanned : filled
}

/**
 * A network seen for the first time: its blocks are followed from the last final one on, which no reorg replaces; those
 * up to it are each collection's backfill. On a chain that names none, what lies beyond the reorg window counts as
 * final.
 */
async function begin(ctx: SystemContext, chain: Chain): Promise<Indexed> {
  const { id: networkId, reorgWindow } = chain.network
  const first = await chain.atOneNode(async (node) => {
    // Read before the head: where a reorg comes in between, the head is of the branch that is the chain by then.
    const finalized = await node.finalized()
    const head = await node.head()
    const finalTo = later(finalized ?? head.number - BigInt(reorgWindow), 0n)
    return finalTo < head.number ? node.block(finalTo) : head
  })
  if (!first) return 'unsteady'
  await inTransaction(ctx, async (tx) => {
    await storeBlocks(tx, networkId, [first])
    await tx.db.chainCursor.createMany({
      data: { networkId, number: first.number, rescannedTo: first.number, updatedAt: tx.now() },
      skipDuplicates: true,
    })
  })
  return 'more'
}

const findFollowed = async (ctx: SystemContext, networkId: number): Promise<Followed[]> =>
  (await ctx.db.collection.findMany({
    where: { networkId, following: true, contractAddress: { not: null } },
    select: { id: true, organizationId: true, contractAddress: true },
  })) as Followed[]

async function follow(ctx: SystemContext, chain: Chain, cursor: Cursor, { node, head, read }: Step): Promise<Indexed> {
  if (!read) return 'unsteady'
  const { to, blocks, collections } = read
  const found = [...read.logs, ...(await findMissingLogs(chain, collections, { node, blocks, logs: read.logs }))]
  const logs = [...found, ...(await findRestOfTransactions(ctx, chain, collections, { node, logs: found }))]
  const strangers = await findStrangersTransfers(ctx, chain, logs)
  const { id: networkId } = chain.network
  crashPoint('blocks_read')
  const isIn = await inTransaction(ctx, async (tx) => {
    if (!(await lockCursor(tx, networkId, cursor.number))) return false
    await storeLogs(tx, logs)
    await enterLogs(tx, logs, { before: cursor.number, strangers })
    await storeBlocks(tx, networkId, blocks)
    await tx.db.chainBlock.deleteMany({ where: { networkId, number: { lt: to - keptBlocks(chain.network) } } })
    await tx.db.chainCursor.update({ where: { networkId }, data: { number: to, updatedAt: tx.now() } })
    crashPoint('blocks_written')
    return true
  })
  if (!isIn) return 'unsteady'
  crashPoint('blocks_entered')
  return to < head.number ? 'more' : 'caught_up'
}

/**
 * Enters the logs of many collections. If that fails, each collection is entered alone; one that fails is left behind
 * with an alarm and tried again, while the others and the cursor go on.
 */
async function enterLogs(
  tx: SystemContext,
  logs: readonly ChainLogRow[],
  { before, strangers }: { before: bigint; strangers: ReadonlySet<string> },
): Promise<void> {
  if (!(await attempt(tx, () => projectLogs(tx, logs, { strangers })))) return
  for (const [collectionId, own] of Map.groupBy(logs, (one) => one.collectionId)) {
    const failure = await attempt(tx, () => projectLogs(tx, own, { strangers }))
    if (!failure) continue
    await tx.db.collection.update({ where: { id: collectionId }, data: { following: false, indexedTo: before } })
    await reportStuck(tx, own[0]!.organizationId, collectionId, failure.error)
  }
}

/** Brings collections up to the network's cursor, one range a round, each from its own deployment block. */
async function backfill(ctx: SystemContext, chain: Chain): Promise<Indexed> {
  const behind = await ctx.db.collection.findMany({
    where: {
      networkId: chain.network.id,
      following: false,
      deploymentStatus: 'SUCCESS',
      contractAddress: { not: null },
    },
    orderBy: { updatedAt: 'asc' },
    take: BACKFILLS_PER_ROUND,
  })
  let indexed: Indexed = behind.length === BACKFILLS_PER_ROUND ? 'more' : 'caught_up'
  for (const collection of behind) {
    const step = await backfillOne(ctx, chain, { ...collection, contractAddress: collection.contractAddress! })
    if (step === 'unsteady') return step
    if (step === 'more') indexed = 'more'
  }
  return indexed
}

type Behind = Followed & Pick<Collection, 'indexedTo' | 'deploymentTransactionId'>

async function backfillOne(ctx: SystemContext, chain: Chain, collection: Behind): Promise<Indexed> {
  const { id } = collection
  const { id: networkId } = chain.network
  const cursor = await readCursor(ctx, networkId)
  if (!cursor) return 'unsteady'
  const read = await chain.atOneNode((node) => readEarlier(ctx, node, networkId, collection, cursor))
  if (!read) return 'unsteady'
  const { done, to } = read
  const again = await readFinalAgain(chain, collection, { from: done + 1n, to }, { cursor, node: read.node })
  const found = [...read.logs, ...again]
  const rest = await findRestOfTransactions(ctx, chain, [collection], { node: read.node, logs: found })
  const logs = [...found, ...rest]
  return inTransaction(ctx, async (tx) => {
    if (!(await lockCursor(tx, networkId, cursor.number))) return 'unsteady'
    await storeLogs(tx, logs)
    const failure = await attempt(tx, () => projectLogs(tx, logs))
    if (failure) {
      // Moved to the end of the queue, so that others aren't delayed.
      await tx.db.collection.update({ where: { id }, data: { updatedAt: tx.now() } })
      await reportStuck(tx, collection.organizationId, id, failure.error)
      return 'caught_up'
    }
    const following = to >= cursor.number
    await tx.db.collection.update({ where: { id }, data: { indexedTo: later(done, to), following } })
    await resolveAlarm(tx, 'indexing_stuck', id)
    return following ? 'caught_up' : 'more'
  })
}

/** Reads a collection's next range of earlier blocks, all from one node. null: the chain changed while it was read. */
async function readEarlier(
  ctx: SystemContext,
  node: ChainNode,
  networkId: number,
  collection: Behind,
  cursor: Cursor,
): Promise<{ node: string; done: bigint; to: bigint; logs: ChainLogRow[] } | null> {
  const done = collection.indexedTo ?? (await findFirstBlock(ctx, node, collection, cursor.number)) - 1n
  const to = cursor.number - done > MAX_BLOCKS_PER_STEP ? done + MAX_BLOCKS_PER_STEP : cursor.number
  const range = { from: done + 1n, to }
  const logs = done < to ? await readLogs(node, networkId, [collection], range, new Map()) : []
  const last = cursor.number < 0n ? null : await node.block(cursor.number)
  return !logs || (last && last.hash !== cursor.hash) ? null : { node: node.name, done, to, logs }
}

/** The rescan has passed these blocks: what is final of them is read from another node at once. */
async function readFinalAgain(
  chain: Chain,
  collection: Followed,
  { from, to }: { from: bigint; to: bigint },
  { cursor, node }: { cursor: Cursor; node: string },
): Promise<ChainLogRow[]> {
  const range = { from, to: to < cursor.rescannedTo ? to : cursor.rescannedTo }
  if (range.from > range.to) return []
  const logs = await chain.atOneNode((other) => readLogs(other, chain.network.id, [collection], range, new Map()), {
    not: node,
  })
  return logs ?? []
}
