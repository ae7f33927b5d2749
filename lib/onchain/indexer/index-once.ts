import { type Collection, Prisma } from '../../../generated/prisma/client.ts'
import { raiseAlarm, resolveAlarm } from '../../records/alarms/raise-alarm.ts'
import { inTransaction, within, type WorkerContext } from '../../platform/auth/context.ts'
import type { Block, Chain } from '../../ports/chain/chain.ts'
import { newId } from '../../core/id.ts'
import { log } from '../../core/log.ts'
import { attempt } from './attempt.ts'
import { type Cursor, lockCursor, storeBlocks, readCursor } from './cursor.ts'
import { findFirstBlock } from './find-first-block.ts'
import type { ChainLogRow } from './moves-of.ts'
import { projectLogs } from './project-logs.ts'
import { type Followed, readBlocks, readLogs } from './read-logs.ts'
import { walkBack } from './walk-back.ts'

/** The most blocks of one step: many providers allow that many. */
const MAX_BLOCKS_PER_STEP = 2_000n
/** Collections that are backfilled in one round. */
const BACKFILLS_PER_ROUND = 20
/** Blocks stored beyond the reorg window. */
const SPARE_BLOCKS = 16n

/** more: continue at once. caught_up: wait for a block. unsteady: the chain changed while it was read; try again in a moment. */
export type Indexed = 'more' | 'caught_up' | 'unsteady'

/**
 * One round of a network's indexer: detects a reorg, enters the next blocks for the collections that have caught up,
 * and a range of earlier ones for those that haven't. Any number of processes may run it: one that finds the cursor
 * moved does nothing.
 */
export async function indexOnce(ctx: WorkerContext, chain: Chain): Promise<Indexed> {
  const head = await chain.head()
  const cursor = await readCursor(ctx, chain.network.id)
  if (!cursor) return begin(ctx, chain, head)
  if (!(await isOnChain(chain, cursor, head))) {
    await walkBack(ctx, chain, cursor.number)
    return 'more'
  }
  const followed = head.number > cursor.number ? await follow(ctx, chain, cursor, head) : 'caught_up'
  if (followed === 'unsteady') return followed
  const filled = followed === 'more' ? 'more' : await backfill(ctx, chain)
  return followed === 'caught_up' ? filled : followed
}

/**
 * Whether our last block is still on the chain. A head below it means a lagging node; only the local chain can really
 * lose blocks without replacing them.
 */
async function isOnChain(chain: Chain, cursor: Cursor, head: Block): Promise<boolean> {
  if (cursor.number < 0n) return true
  if (cursor.number > head.number) return chain.network.finality !== 'never'
  const block = cursor.number === head.number ? head : await chain.block(cursor.number)
  return block !== null && block.hash === cursor.hash
}

/** A network seen for the first time: its blocks are followed from here on; earlier ones are each collection's backfill. */
async function begin(ctx: WorkerContext, chain: Chain, head: Block): Promise<Indexed> {
  const networkId = chain.network.id
  await inTransaction(ctx, async (tx) => {
    await storeBlocks(tx, networkId, [head])
    await tx.db.chainCursor.createMany({
      data: { networkId, number: head.number, updatedAt: tx.now() },
      skipDuplicates: true,
    })
  })
  return 'more'
}

async function follow(ctx: WorkerContext, chain: Chain, cursor: Cursor, head: Block): Promise<Indexed> {
  const from = cursor.number + 1n
  const to = head.number - cursor.number > MAX_BLOCKS_PER_STEP ? cursor.number + MAX_BLOCKS_PER_STEP : head.number
  const kept = BigInt(chain.network.reorgWindow) + SPARE_BLOCKS
  const firstKept = to + kept < head.number ? to : later(from, head.number - kept)
  const blocks = await readBlocks(chain, numbersBetween(firstKept, to))
  if (!blocks || !areLinked(blocks, firstKept === from ? cursor.hash : null)) return 'unsteady'

  const collections = (await ctx.db.collection.findMany({
    where: { networkId: chain.network.id, following: true, contractAddress: { not: null } },
    select: { id: true, organizationId: true, contractAddress: true },
  })) as Followed[]
  const logs = await readLogs(chain, collections, { from, to }, new Map(blocks.map((block) => [block.number, block])))
  // The blocks were read before the logs: if the last one still stands, the logs belong to these blocks.
  const last = await chain.block(to)
  if (!logs || last?.hash !== blocks.at(-1)!.hash) return 'unsteady'

  const { id: networkId } = chain.network
  const isIn = await inTransaction(ctx, async (tx) => {
    if (!(await lockCursor(tx, networkId, cursor.number))) return false
    await storeLogs(tx, logs)
    await enterLogs(tx, logs, cursor.number)
    await storeBlocks(tx, networkId, blocks)
    await tx.db.chainBlock.deleteMany({ where: { networkId, number: { lt: to - kept } } })
    await tx.db.chainCursor.update({ where: { networkId }, data: { number: to, updatedAt: tx.now() } })
    return true
  })
  if (!isIn) return 'unsteady'
  return to < head.number ? 'more' : 'caught_up'
}

/**
 * Enters the logs of many collections. If that fails, each collection is entered alone; one that fails is left behind
 * with an alarm and tried again, while the others and the cursor go on.
 */
async function enterLogs(tx: WorkerContext, logs: readonly ChainLogRow[], before: bigint): Promise<void> {
  if (!(await attempt(tx, () => projectLogs(tx, logs)))) return
  for (const [collectionId, own] of Map.groupBy(logs, (one) => one.collectionId)) {
    const failure = await attempt(tx, () => projectLogs(tx, own))
    if (!failure) continue
    await tx.db.collection.update({ where: { id: collectionId }, data: { following: false, indexedTo: before } })
    await reportStuck(tx, own[0]!.organizationId, collectionId, failure.error)
  }
}

async function reportStuck(
  tx: WorkerContext,
  organizationId: string,
  collectionId: string,
  error: unknown,
): Promise<void> {
  log.error({ error, collectionId }, 'The logs of a collection can’t be entered.')
  await within(tx, organizationId, (own) =>
    raiseAlarm(
      own,
      'indexing_stuck',
      collectionId,
      'The logs of this collection can’t be entered. They are tried again and again; the service’s log says why they fail.',
    ),
  )
}

/** Brings collections up to the network's cursor, one range a round, each from its own deployment block. */
async function backfill(ctx: WorkerContext, chain: Chain): Promise<Indexed> {
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

async function backfillOne(ctx: WorkerContext, chain: Chain, collection: Behind): Promise<Indexed> {
  const { id } = collection
  const cursor = await readCursor(ctx, chain.network.id)
  if (!cursor) return 'unsteady'
  const done = collection.indexedTo ?? (await findFirstBlock(ctx, chain, collection, cursor.number)) - 1n
  const to = cursor.number - done > MAX_BLOCKS_PER_STEP ? done + MAX_BLOCKS_PER_STEP : cursor.number
  const logs = done < to ? await readLogs(chain, [collection], { from: done + 1n, to }, new Map()) : []
  const last = cursor.number < 0n ? null : await chain.block(cursor.number)
  if (!logs || (last && last.hash !== cursor.hash)) return 'unsteady'
  return inTransaction(ctx, async (tx) => {
    if (!(await lockCursor(tx, chain.network.id, cursor.number))) return 'unsteady'
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

async function storeLogs(tx: WorkerContext, logs: readonly ChainLogRow[]): Promise<void> {
  if (logs.length === 0) return
  // PostgreSQL's nested arrays must be rectangular: topics are passed joined.
  await tx.sql(Prisma.sql`
    INSERT INTO chain_logs (id, organization_id, collection_id, network_id, tx_hash, log_index, block_number, block_hash, timestamp, topics, data)
    SELECT l.id, l.organization_id, l.collection_id, ${logs[0]!.networkId}, l.tx_hash, l.log_index, l.block_number, l.block_hash, l.timestamp,
      string_to_array(l.topics, ','), l.data
    FROM unnest(
      ${logs.map(() => newId())}::uuid[],
      ${logs.map(({ organizationId }) => organizationId)}::uuid[],
      ${logs.map(({ collectionId }) => collectionId)}::uuid[],
      ${logs.map(({ txHash }) => txHash)}::text[],
      ${logs.map(({ logIndex }) => logIndex)}::int[],
      ${logs.map(({ blockNumber }) => String(blockNumber))}::text[]::bigint[],
      ${logs.map(({ blockHash }) => blockHash)}::text[],
      ${logs.map(({ timestamp }) => timestamp.toISOString())}::text[]::timestamptz[],
      ${logs.map(({ topics }) => topics.join(','))}::text[],
      ${logs.map(({ data }) => data)}::text[]
    ) AS l(id, organization_id, collection_id, tx_hash, log_index, block_number, block_hash, timestamp, topics, data)
    ON CONFLICT (network_id, tx_hash, log_index) DO NOTHING`)
}

const areLinked = (blocks: readonly Block[], parent: string | null): boolean =>
  blocks.every((block, at) => block.parentHash === (at === 0 ? (parent ?? block.parentHash) : blocks[at - 1]!.hash))

const later = (a: bigint, b: bigint): bigint => (a > b ? a : b)

const numbersBetween = (from: bigint, to: bigint): bigint[] =>
  Array.from({ length: Number(to - from) + 1 }, (_, at) => from + BigInt(at))
