import { Prisma } from '../../../generated/prisma/client.ts'
import { raiseAlarm } from '../../records/alarms/raise-alarm.ts'
import { inTransaction, type SystemContext } from '../../platform/auth/context.ts'
import type { Block, Chain, ChainNode } from '../../ports/chain/chain.ts'
import { crashPoint } from '../../core/crash.ts'
import { type Cursor, lockCursor, storeBlocks } from './cursor.ts'
import { nodeAlarmsOf } from './node-alarms.ts'
import { undoLogsAbove } from './undo-logs.ts'

type Seen = { number: bigint; hash: string }

/**
 * Goes back to the last common block and undoes what came after, when the block at the cursor isn't on the chain any
 * more. Beyond the reorg window the stored logs' own blocks tell where that is; then an alarm is raised, since
 * deliveries may have been made on a chain that is gone. What was final is never undone: where it isn't on the chain
 * any more, an alarm is raised and nothing changes. False: it can't go back, so try again later.
 */
export async function walkBack(ctx: SystemContext, chain: Chain, cursor: Cursor): Promise<boolean> {
  const { network } = chain
  const kept = await ctx.sql<Seen>(
    Prisma.sql`SELECT number, hash FROM chain_blocks WHERE network_id = ${network.id} ORDER BY number`,
  )
  const fork = await chain.atOneNode((node) => findFork(node, kept, () => blocksOfLogs(ctx, network.id)))
  if (!fork) return true
  const { near, ancestor, block, firstGone, finalTo } = fork
  // Blocks that the chain calls final by now may replace others that never were. A reorg is too deep only where it
  // replaced blocks that were final while they were entered.
  const wereFinalTo = cursor.rescannedTo
  if (finalTo !== null && firstGone !== null && firstGone <= finalTo && firstGone <= wereFinalTo) {
    const detail =
      `Block ${firstGone} of ${network.name} isn’t on the chain of its nodes any more, ` +
      `although blocks up to ${wereFinalTo} were final. Nothing is undone and no block is entered until it is there ` +
      'again: look at the nodes.'
    await raiseAlarm(ctx, 'reorg_too_deep', nodeAlarmsOf(network.id).reorg_too_deep, detail)
    return false
  }
  await inTransaction(ctx, async (tx) => {
    if (!(await lockCursor(tx, network.id, cursor.number))) return
    await undoLogsAbove(tx, network.id, ancestor)
    await tx.sql(Prisma.sql`DELETE FROM chain_logs WHERE network_id = ${network.id} AND block_number > ${ancestor}`)
    await tx.sql(Prisma.sql`DELETE FROM chain_blocks WHERE network_id = ${network.id} AND number > ${ancestor}`)
    if (block) await storeBlocks(tx, network.id, [block])
    await tx.sql(
      Prisma.sql`UPDATE collections SET indexed_to = ${ancestor}
        WHERE network_id = ${network.id} AND NOT following AND indexed_to > ${ancestor}`,
    )
    await tx.sql(Prisma.sql`
      UPDATE chain_cursors SET number = ${ancestor}, rescanned_to = least(rescanned_to, ${ancestor}),
        updated_at = ${tx.now()}
      WHERE network_id = ${network.id}`)
    crashPoint('reorg_undone')
    if (near) return
    const detail =
      `${network.name} went back further than its reorg window, ` +
      `from block ${cursor.number} to ${ancestor}. Histories follow the chain; look at what was promised in between.`
    await raiseAlarm(tx, 'reorg_too_deep', String(network.id), detail)
  })
  crashPoint('reorg_recorded')
  return true
}

type Fork = {
  near: boolean
  /** The last common block; -1 when there is none. */
  ancestor: bigint
  block: Block | null
  /** The first stored block that isn't on the chain any more. */
  firstGone: bigint | null
  finalTo: bigint | null
}

/** Where the chain of a node leaves the stored one. null: the chain changed while it was read. */
async function findFork(
  node: ChainNode,
  kept: readonly Seen[],
  ofLogs: () => Promise<readonly Seen[]>,
): Promise<Fork | null> {
  const near = await splitAt(node, kept)
  const far = near.common ? null : await splitAt(node, await ofLogs())
  const common = near.common ?? far?.common ?? null
  // The chain may have changed while it was read: the common block is stored as it is now, and compared again next
  // time.
  const block = common && (await node.block(common.number))
  if (common && block?.hash !== common.hash) return null
  const gone = [near.gone, far?.gone].flatMap((seen) => (seen ? [seen.number] : []))
  return {
    near: near.common !== null,
    ancestor: common?.number ?? -1n,
    block,
    firstGone: gone.length > 0 ? gone.reduce((a, b) => (a < b ? a : b)) : null,
    finalTo: await node.finalized(),
  }
}

const blocksOfLogs = (ctx: SystemContext, networkId: number): Promise<Seen[]> =>
  ctx.sql<Seen>(
    Prisma.sql`SELECT DISTINCT block_number AS number, block_hash AS hash FROM chain_logs
      WHERE network_id = ${networkId} ORDER BY 1`,
  )

/**
 * The last of these blocks, oldest first, that is still on the chain, and the first that isn't: all before it are, none
 * after it is.
 */
async function splitAt(node: ChainNode, seen: readonly Seen[]): Promise<{ common: Seen | null; gone: Seen | null }> {
  let on = -1
  let off = seen.length
  while (off - on > 1) {
    const middle = Math.floor((on + off) / 2)
    const block = await node.block(seen[middle]!.number)
    if (block?.hash === seen[middle]!.hash) on = middle
    else off = middle
  }
  return { common: seen[on] ?? null, gone: seen[off] ?? null }
}
