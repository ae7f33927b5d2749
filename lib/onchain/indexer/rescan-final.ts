import { Prisma } from '../../../generated/prisma/client.ts'
import { log } from '../../core/log.ts'
import { inTransaction, type WorkerContext } from '../../platform/auth/context.ts'
import { type Chain, type ChainNode, ChainUnavailable, type Network } from '../../ports/chain/chain.ts'
import { attempt } from './attempt.ts'
import { type Cursor, lockCursor, readCursor } from './cursor.ts'
import { enterLateLogs } from './enter-late-logs.ts'
import type { ChainLogRow } from './moves-of.ts'
import { type Followed, readRawLogs, withBlocks } from './read-logs.ts'
import { MAX_BLOCKS_PER_STEP, type Step } from './read-step.ts'
import { reportStuck } from './report-stuck.ts'

/** New blocks after which it is looked again whether more are final. */
const LOOK_EVERY_BLOCKS = 16n

const nextLook = new WeakMap<Network, bigint>()

/**
 * Reads blocks once more when they have become final, from another node than `seen` where there is one, and enters the logs that
 * were left out the first time. On a chain that is never final, blocks beyond the reorg window count as final here.
 */
export async function rescanFinal(ctx: WorkerContext, chain: Chain, seen: Step): Promise<'more' | 'caught_up'> {
  if (seen.head.number < (nextLook.get(chain.network) ?? 0n)) return 'caught_up'
  const cursor = await readCursor(ctx, chain.network.id)
  if (!cursor) return 'caught_up'
  const collections = await findRescanned(ctx, chain.network.id, cursor.rescannedTo + 1n)
  const stored = (to: bigint) => storedLogs(ctx, chain.network.id, cursor.rescannedTo + 1n, to)
  const found = await chain
    .atOneNode((node) => readMissing(node, chain, cursor, collections, stored), { not: seen.node })
    .catch(laterIfUnavailable)
  const isDone = found && found.to > cursor.rescannedTo ? await enter(ctx, chain, cursor, found) : true
  const hasMore = !isDone || (found !== null && found.to - cursor.rescannedTo === MAX_BLOCKS_PER_STEP)
  nextLook.set(chain.network, hasMore ? 0n : seen.head.number + LOOK_EVERY_BLOCKS)
  return hasMore ? 'more' : 'caught_up'
}

/** What nodes refuse is tried again later, so that new blocks don't wait for it. */
function laterIfUnavailable(error: unknown): null {
  if (!(error instanceof ChainUnavailable)) throw error
  log.warn({ error }, 'Final blocks can’t be read once more.')
  return null
}

type Rescanned = Followed & { to: bigint | null }
type Missing = { node: string; to: bigint; logs: ChainLogRow[] }

/** Collections whose logs from this block on were read before; `to`: up to this block only. */
const findRescanned = (ctx: WorkerContext, networkId: number, from: bigint): Promise<Rescanned[]> =>
  ctx.sql<Rescanned>(Prisma.sql`
    SELECT id::text, organization_id::text AS "organizationId", contract_address AS "contractAddress",
      CASE WHEN following THEN NULL ELSE indexed_to END AS to
    FROM collections WHERE network_id = ${networkId} AND contract_address IS NOT NULL AND (following OR indexed_to >= ${from})`)

async function storedLogs(ctx: WorkerContext, networkId: number, from: bigint, to: bigint): Promise<Set<string>> {
  const logs = await ctx.sql<{ key: string }>(Prisma.sql`
    SELECT tx_hash || ' ' || log_index AS key FROM chain_logs
    WHERE network_id = ${networkId} AND block_number BETWEEN ${from} AND ${to}`)
  return new Set(logs.map(({ key }) => key))
}

/** The logs of final blocks that aren't stored. null: the chain changed while it was read. */
async function readMissing(
  node: ChainNode,
  { network }: Chain,
  cursor: Cursor,
  collections: readonly Rescanned[],
  stored: (to: bigint) => Promise<Set<string>>,
): Promise<Missing | null> {
  const from = cursor.rescannedTo + 1n
  const finalTo = (await node.finalized()) ?? cursor.number - BigInt(network.reorgWindow)
  const to = [finalTo, cursor.number, cursor.rescannedTo + MAX_BLOCKS_PER_STEP].reduce((a, b) => (a < b ? a : b))
  if (to < from) return { node: node.name, to, logs: [] }
  const known = await stored(to)
  const limits = new Map(collections.map((collection) => [collection.contractAddress, collection.to]))
  const missing = (await readRawLogs(node, collections, { from, to })).filter(
    ({ address, txHash, logIndex, blockNumber }) =>
      !known.has(`${txHash} ${logIndex}`) && blockNumber <= (limits.get(address) ?? to),
  )
  const logs = await withBlocks(node, network.id, collections, missing, new Map())
  return logs && { node: node.name, to, logs }
}

/** Enters them with the cursor of the rescan in one transaction. False: the cursor has moved. */
async function enter(ctx: WorkerContext, chain: Chain, cursor: Cursor, { node, to, logs }: Missing): Promise<boolean> {
  const { id: networkId } = chain.network
  if (logs.length > 0)
    log.warn({ networkId, node, count: logs.length }, 'Logs that were left out are entered from final blocks.')
  return inTransaction(ctx, async (tx) => {
    if (!(await lockCursor(tx, networkId, cursor.number))) return false
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
    await tx.db.chainCursor.update({ where: { networkId }, data: { rescannedTo: to } })
    return true
  })
}
