import { Prisma } from '../../../generated/prisma/client.ts'
import { raiseAlarm } from '../../records/alarms/raise-alarm.ts'
import { inTransaction, type WorkerContext } from '../../platform/auth/context.ts'
import type { Chain } from '../../ports/chain/chain.ts'
import { lockCursor, storeBlocks } from './cursor.ts'
import { undoLogsAbove } from './undo-logs.ts'

type Seen = { number: bigint; hash: string }

/**
 * Goes back to the last common block and undoes what came after, when the block at the cursor isn't on the chain any
 * more. Beyond the reorg window the stored logs' own blocks tell where that is; then an alarm is raised, since
 * deliveries may have been made on a chain that is gone.
 */
export async function walkBack(ctx: WorkerContext, chain: Chain, from: bigint): Promise<void> {
  const { network } = chain
  const kept = await ctx.sql<Seen>(
    Prisma.sql`SELECT number, hash FROM chain_blocks WHERE network_id = ${network.id} ORDER BY number`,
  )
  const near = await lastCommon(chain, kept)
  const far = near ?? (await lastCommon(chain, await blocksOfLogs(ctx, network.id)))
  const ancestor = far?.number ?? -1n
  // The chain may have changed while it was read: the common block is stored as it is now, and compared again next
  // time.
  const block = ancestor < 0n ? null : await chain.block(ancestor)
  if (far && block?.hash !== far.hash) return

  await inTransaction(ctx, async (tx) => {
    if (!(await lockCursor(tx, network.id, from))) return
    await undoLogsAbove(tx, network.id, ancestor)
    await tx.sql(Prisma.sql`DELETE FROM chain_logs WHERE network_id = ${network.id} AND block_number > ${ancestor}`)
    await tx.sql(Prisma.sql`DELETE FROM chain_blocks WHERE network_id = ${network.id} AND number > ${ancestor}`)
    if (block) await storeBlocks(tx, network.id, [block])
    await tx.sql(
      Prisma.sql`UPDATE collections SET indexed_to = ${ancestor} WHERE network_id = ${network.id} AND NOT following AND indexed_to > ${ancestor}`,
    )
    await tx.db.chainCursor.update({
      where: { networkId: network.id },
      data: { number: ancestor, updatedAt: tx.now() },
    })
    if (near) return
    const detail = `${network.name} went back further than its reorg window, from block ${from} to ${ancestor}. Histories follow the chain; look at what was promised in between.`
    await raiseAlarm(tx, 'reorg_too_deep', String(network.id), detail)
  })
}

const blocksOfLogs = (ctx: WorkerContext, networkId: number): Promise<Seen[]> =>
  ctx.sql<Seen>(
    Prisma.sql`SELECT DISTINCT block_number AS number, block_hash AS hash FROM chain_logs WHERE network_id = ${networkId} ORDER BY 1`,
  )

/** The last of these blocks, oldest first, that is still on the chain: all before it are, none after it is. */
async function lastCommon(chain: Chain, seen: readonly Seen[]): Promise<Seen | null> {
  let on = -1
  let off = seen.length
  while (off - on > 1) {
    const middle = Math.floor((on + off) / 2)
    const block = await chain.block(seen[middle]!.number)
    if (block?.hash === seen[middle]!.hash) on = middle
    else off = middle
  }
  return seen[on] ?? null
}
