import type { Hex } from 'viem'
import { Prisma } from '../../../generated/prisma/client.ts'
import { log } from '../../core/log.ts'
import { inTransaction, type SystemContext } from '../../platform/auth/context.ts'
import { agreedAnswer, NotProved } from '../transactions/agreed-answer.ts'
import { type Chain, type ChainNode, ChainUnavailable, type Network, type RawLog } from '../../ports/chain/chain.ts'
import { attempt } from '../../db/attempt.ts'
import { type Cursor, lockCursor, readCursor } from './cursor.ts'
import { enterLateLogs } from './enter-late-logs.ts'
import { findRestOfTransactions } from './find-rest-of-transactions.ts'
import { findUnentered } from './find-unentered.ts'
import type { ChainLogRow } from './moves-of.ts'
import { FOLLOWED, type Followed, readRawLogs, readReceiptLogs, withBlocks } from './read-logs.ts'
import { MAX_BLOCKS_PER_STEP, type Step } from './read-step.ts'
import { reportStuck } from './report-stuck.ts'

/** New blocks after which it is looked again whether more are final. */
const LOOK_EVERY_BLOCKS = 16n

const nextLook = new WeakMap<Network, bigint>()

/**
 * Reads blocks once more when they have become final, from another node than `seen` where there is one, and enters the
 * logs that were left out the first time. Where those of our own mints are left out again, their receipts are read. On
 * a chain that is never final, blocks beyond the reorg window count as final here.
 */
export async function rescanFinal(ctx: SystemContext, chain: Chain, seen: Step): Promise<'more' | 'caught_up'> {
  if (seen.head.number < (nextLook.get(chain.network) ?? 0n)) return 'caught_up'
  const cursor = await readCursor(ctx, chain.network.id)
  if (!cursor) return 'caught_up'
  const collections = await findRescanned(ctx, chain.network.id, cursor.rescannedTo + 1n)
  const found = await findMissing(ctx, chain, cursor, collections, seen.node).catch(laterIfUnavailable)
  const isDone = found && found.to > cursor.rescannedTo ? await enter(ctx, chain, cursor, found) : true
  const hasMore = !isDone || (found !== null && found.to - cursor.rescannedTo === MAX_BLOCKS_PER_STEP)
  nextLook.set(chain.network, hasMore ? 0n : seen.head.number + LOOK_EVERY_BLOCKS)
  return hasMore ? 'more' : 'caught_up'
}

/** Ignores a refusal of the nodes: blocks that they refuse are read later, so that new blocks don't wait for them. */
function laterIfUnavailable(error: unknown): null {
  if (!(error instanceof ChainUnavailable || error instanceof NotProved)) throw error
  log.warn({ error }, 'Final blocks can’t be read once more.')
  return null
}

type Rescanned = Followed & { to: bigint | null }
/** `asked`: our own transactions whose receipts were read. */
type Missing = { node: string; to: bigint; logs: ChainLogRow[]; asked: ReadonlySet<Hex> }

/** Collections whose logs from this block on were read before; `to`: up to this block only. */
const findRescanned = (ctx: SystemContext, networkId: number, from: bigint): Promise<Rescanned[]> =>
  ctx.sql<Rescanned>(Prisma.sql`
    SELECT ${Prisma.raw(FOLLOWED)}, CASE WHEN following THEN NULL ELSE indexed_to END AS to
    FROM collections c WHERE network_id = ${networkId} AND contract_address IS NOT NULL
      AND (following OR indexed_to >= ${from})`)

async function storedLogs(ctx: SystemContext, networkId: number, from: bigint, to: bigint): Promise<Set<string>> {
  const logs = await ctx.sql<{ key: string }>(Prisma.sql`
    SELECT tx_hash || ' ' || log_index AS key FROM chain_logs
    WHERE network_id = ${networkId} AND block_number BETWEEN ${from} AND ${to}`)
  return new Set(logs.map(({ key }) => key))
}

/** Our own transactions in these blocks whose effects are completed and not entered. */
const findUnenteredIn = (ctx: SystemContext, networkId: number, from: bigint, to: bigint) =>
  findUnentered(ctx, networkId, Prisma.sql`t.block_number BETWEEN ${from} AND ${to}`)

/** The logs of final blocks that aren't stored. null: the chain changed while it was read. */
async function findMissing(
  ctx: SystemContext,
  chain: Chain,
  cursor: Cursor,
  collections: readonly Rescanned[],
  seenNode: string,
): Promise<Missing | null> {
  const missing = await chain.atOneNode((node) => readMissing(ctx, node, chain, cursor, collections), { not: seenNode })
  return (
    missing && {
      ...missing,
      logs: [...missing.logs, ...(await findRestOfTransactions(ctx, chain, collections, missing))],
    }
  )
}

async function readMissing(
  ctx: SystemContext,
  node: ChainNode,
  chain: Chain,
  cursor: Cursor,
  collections: readonly Rescanned[],
): Promise<Missing | null> {
  const { network } = chain
  const from = cursor.rescannedTo + 1n
  // Read before the block: where a reorg comes in between, what was entered isn't on the chain any more.
  const finalTo = (await node.finalized()) ?? cursor.number - BigInt(network.reorgWindow)
  const last = await node.block(cursor.number)
  // The final block of this node lies on another branch than the blocks that were entered. Those are undone first.
  if (last && last.hash !== cursor.hash) return null
  const to = [finalTo, cursor.number, cursor.rescannedTo + MAX_BLOCKS_PER_STEP].reduce((a, b) => (a < b ? a : b))
  if (to < from) return { node: node.name, to, logs: [], asked: new Set() }
  // A node that is behind may be on another branch as well, and may know better what is final.
  if (!last && !(await hasEntered(ctx, node, network.id, to))) return null
  const known = await storedLogs(ctx, network.id, from, to)
  const limits = new Map(collections.map((collection) => [collection.contractAddress, collection.to]))
  const logs = await readRawLogs(node, collections, { from, to })
  const asked = new Set((await findUnenteredIn(ctx, network.id, from, to)).map(({ hash }) => hash))
  for (const hash of asked) logs.push(...(await agreedLogs(chain, collections, hash)))
  const once = new Map(logs.map((one) => [`${one.txHash} ${one.logIndex}`, one]))
  const missing = [...once].flatMap(([key, one]) =>
    !known.has(key) && one.blockNumber <= (limits.get(one.address) ?? to) ? [one] : [],
  )
  const rows = await withBlocks(node, network.id, collections, missing, new Map())
  return rows && { node: node.name, to, logs: rows, asked }
}

/**
 * The logs in the receipt of a transaction, as several nodes give them: one alone could name some that aren't there.
 */
async function agreedLogs(chain: Chain, collections: readonly Followed[], hash: Hex): Promise<RawLog[]> {
  const logs = await agreedAnswer(
    chain,
    async (node) => (await readReceiptLogs(node, collections, hash)) ?? [],
    (all) => JSON.stringify(all.map((one) => [one.blockHash, one.logIndex, one.address, one.topics, one.data])),
  )
  if (!logs) throw new NotProved(`Nodes don’t agree about the receipt of ${hash}.`)
  return logs
}

/** Whether the block that a node has at this height is the one that was entered. */
async function hasEntered(ctx: SystemContext, node: ChainNode, networkId: number, number: bigint): Promise<boolean> {
  const [block, entered] = [
    await node.block(number),
    await ctx.db.chainBlock.findFirst({ where: { networkId, number }, select: { hash: true } }),
  ]
  return block !== null && block.hash === entered?.hash
}

/**
 * Enters them with the cursor of the rescan in one transaction. False: the cursor has moved, or something of ours was
 * completed meanwhile.
 */
async function enter(
  ctx: SystemContext,
  chain: Chain,
  cursor: Cursor,
  { node, to, logs, asked }: Missing,
): Promise<boolean> {
  const { id: networkId } = chain.network
  if (logs.length > 0)
    log.warn({ networkId, node, count: logs.length }, 'Logs that were left out are entered from final blocks.')
  return inTransaction(ctx, async (tx) => {
    if (!(await lockCursor(tx, networkId, cursor.number))) return false
    const unentered = await findUnenteredIn(tx, networkId, cursor.rescannedTo + 1n, to)
    if (unentered.some(({ hash }) => !asked.has(hash))) return false
    for (const [collectionId, own] of Map.groupBy(logs, (one) => one.collectionId)) {
      const failure = await attempt(tx, () => enterLateLogs(tx, collectionId, own))
      if (!failure) continue
      // Its backfill reads them again, from here on.
      const before = own.map(({ blockNumber }) => blockNumber).reduce((a, b) => (a < b ? a : b)) - 1n
      await tx.db.collection.update({
        where: { id: collectionId },
        data: { following: false, indexedTo: before },
      })
      await reportStuck(tx, own[0]!.organizationId, collectionId, failure.error)
    }
    const { count } = await tx.db.chainCursor.updateMany({
      where: { networkId, rescannedTo: cursor.rescannedTo },
      data: { rescannedTo: to },
    })
    return count > 0
  })
}
