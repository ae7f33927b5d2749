import { Prisma } from '../../../generated/prisma/client.ts'
import type { SystemContext } from '../../platform/auth/context.ts'
import type { Block } from '../../ports/chain/chain.ts'
import { type NodeAlarm, nodeAlarmsOf } from './node-alarms.ts'

/**
 * The last block of a network whose logs are entered; -1 when there is none. `rescannedTo`: up to this block, its
 * blocks were read once more after they had become final. `alarms`: those about its nodes that are open, whichever
 * process raised them.
 */
export type Cursor = {
  number: bigint
  rescannedTo: bigint
  hash: string | null
  timestamp: Date | null
  alarms: NodeAlarm[]
}

export async function readCursor(ctx: SystemContext, networkId: number): Promise<Cursor | null> {
  const alarms = nodeAlarmsOf(networkId)
  const [cursor] = await ctx.sql<Cursor>(Prisma.sql`
    SELECT c.number, c.rescanned_to AS "rescannedTo", b.hash, b.timestamp, ARRAY(
        SELECT a.kind FROM unnest(${Object.keys(alarms)}::text[], ${Object.values(alarms)}::text[]) AS w (kind, subject)
        JOIN alarms a ON a.kind = w.kind AND a.subject = w.subject AND a.resolved_at IS NULL) AS alarms
    FROM chain_cursors c LEFT JOIN chain_blocks b ON b.network_id = c.network_id AND b.number = c.number
    WHERE c.network_id = ${networkId}`)
  return cursor ?? null
}

/** Locks the cursor if it is still at `number`. Another process waits here, and then finds it moved. */
export async function lockCursor(tx: SystemContext, networkId: number, number: bigint): Promise<boolean> {
  const rows = await tx.sql(
    Prisma.sql`SELECT 1 FROM chain_cursors WHERE network_id = ${networkId} AND number = ${number} FOR UPDATE`,
  )
  return rows.length > 0
}

export async function storeBlocks(tx: SystemContext, networkId: number, blocks: readonly Block[]): Promise<void> {
  const data = blocks.map(({ number, hash, parentHash, timestamp }) => ({
    networkId,
    number,
    hash,
    parentHash,
    timestamp,
  }))
  await tx.db.chainBlock.createMany({ data, skipDuplicates: true })
}
