import { zeroAddress } from 'viem'
import type { Snapshot } from '../../../generated/prisma/client.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { columns, type RowOf } from '../../db/columns.ts'
import type { Statement } from '../../db/statements.ts'

/** Counts the moves that a snapshot at `block` adds up. From then on its block is fixed. */
export const beginSnapshot = (ctx: Context, { id, collectionId }: Snapshot, block: bigint): Promise<void> =>
  inTransaction(ctx, async (tx) => {
    await tx.db.snapshot.updateMany({
      where: { id, takenTo: null, readyAt: null },
      data: {
        blockNumber: block,
        takenTo: -1n,
        movesDone: 0,
        movesTotal: await countMoves(tx, collectionId, block),
        updatedAt: tx.now(),
      },
    })
  })

/**
 * Adds the next `batch` moves, and those of the same block, to the quantities of their addresses. A process that is
 * killed has added all of them or none. Returns whether the snapshot is taken.
 *
 * Moves up to a final block don't change, but for one that is found late and for a rebuilt index. If their number isn't
 * the one that was added, the snapshot is begun again, so that it always shows the moves of one moment.
 */
export const addMoves = (ctx: Context, id: string, batch: number): Promise<boolean> =>
  inTransaction(ctx, async (tx) => {
    const [row] = await tx.rows<Counted & { takenTo: bigint }>(LOCK, id)
    if (!row) return false
    const [next] = await tx.rows<{ block: bigint | null }>(NEXT_BLOCK, row.collectionId, row.takenTo, row.block, batch)
    const to = next?.block ?? null
    if (to === null) return completeSnapshot(tx, id, row)
    const [added] = await tx.rows<{ moves: number; emptied: string[] | null }>(
      ADD,
      tx.organizationId,
      id,
      row.collectionId,
      row.takenTo,
      to,
    )
    const { moves, emptied } = added!
    if (emptied) await tx.db.snapshotHolder.deleteMany({ where: { snapshotId: id, address: { in: emptied } } })
    await tx.db.snapshot.update({
      where: { id },
      data: { takenTo: to, movesDone: { increment: moves }, updatedAt: tx.now() },
    })
    return false
  })

async function completeSnapshot(
  tx: Context,
  id: string,
  { collectionId, block, movesDone }: Counted,
): Promise<boolean> {
  if ((await countMoves(tx, collectionId, block)) !== movesDone) {
    await tx.db.snapshotHolder.deleteMany({ where: { snapshotId: id } })
    await tx.db.snapshot.update({ where: { id }, data: { takenTo: null, updatedAt: tx.now() } })
    return false
  }
  // A contract of others may report that an address sent more than it had.
  await tx.db.snapshotHolder.deleteMany({ where: { snapshotId: id, quantity: { lte: 0 } } })
  const holderCount = await tx.db.snapshotHolder.count({ where: { snapshotId: id } })
  await tx.db.snapshot.update({ where: { id }, data: { readyAt: tx.now(), holderCount } })
  return true
}

async function countMoves(tx: Context, collectionId: string, block: bigint): Promise<number> {
  const [row] = await tx.rows<{ moves: number }>(COUNT, collectionId, block)
  return row!.moves
}

const COUNT: Statement = {
  name: 'count_moves',
  text: 'SELECT count(*)::int AS moves FROM item_history WHERE collection_id = $1::uuid AND block_number <= $2::bigint',
}

const TAKEN = columns('s', 'Snapshot', ['collectionId', 'takenTo', 'movesDone'])
type Counted = Pick<RowOf<typeof TAKEN>, 'collectionId' | 'movesDone'> & { block: bigint }
const LOCK: Statement = {
  name: 'lock_snapshot',
  text: `SELECT ${TAKEN}, block_number AS block FROM snapshots s
    WHERE id = $1::uuid AND ready_at IS NULL AND taken_to IS NOT NULL FOR UPDATE`,
}

const NEXT_BLOCK: Statement = {
  name: 'next_block_of_snapshot',
  text: `SELECT max(block_number) AS block FROM (SELECT block_number FROM item_history
    WHERE collection_id = $1::uuid AND block_number > $2::bigint AND block_number <= $3::bigint
    ORDER BY block_number LIMIT $4::int) next`,
}

/** Adds the moves after one block up to another. Gives their number, and the addresses that hold nothing any more. */
const ADD: Statement = {
  name: 'add_moves',
  text: `WITH moves AS MATERIALIZED (
      SELECT from_address, to_address, quantity FROM item_history
      WHERE collection_id = $3::uuid AND block_number > $4::bigint AND block_number <= $5::bigint),
    changed AS (
      INSERT INTO snapshot_holders AS h (organization_id, snapshot_id, address, quantity)
      SELECT $1::uuid, $2::uuid, address, sum(quantity) FROM (
        SELECT to_address AS address, quantity FROM moves UNION ALL SELECT from_address, -quantity FROM moves) parts
      WHERE address <> '${zeroAddress}' GROUP BY address
      ON CONFLICT (snapshot_id, address) DO UPDATE SET quantity = h.quantity + excluded.quantity
      RETURNING h.address, h.quantity)
    SELECT (SELECT count(*)::int FROM moves) AS moves,
      (SELECT array_agg(address) FROM changed WHERE quantity = 0) AS emptied`,
}
