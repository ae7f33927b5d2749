import { Prisma } from '../../../generated/prisma/client.ts'
import { columns } from '../../db/columns.ts'
import { requestMetadata } from '../../catalog/items/request-metadata.ts'
import { METADATA_TOPICS } from '../../core/contracts/token-logs.ts'
import type { SystemContext } from '../../platform/auth/context.ts'
import { advanceHolds, asChainFact, releaseArrivals } from '../../stock/advance-hold.ts'
import { lockItemRows } from '../../stock/lock-item-rows.ts'
import { recordVoucherFacts } from '../vouchers/record-voucher-facts.ts'
import { HISTORY_COLUMNS, type HistoryRow, isMatched, type RawHistoryRow, rowsInChainOrder } from './history-rows.ts'
import { type ChainLogRow, movesOf } from './moves-of.ts'
import { updateCustodyOfMoves, operatorsOn } from './update-custody.ts'
import { changeOwners } from './change-owners.ts'
import { changeSupply } from './change-supply.ts'
import { reconcileHolds } from './reconcile-holds.ts'
import { deleteUnmatchedMintsAbove } from './unmatched-mints.ts'

/**
 * Undoes the projection of all logs above a block, and queues that their vouchers aren't used and that metadata which
 * they changed is read again. The logs stay in chain_logs.
 */
export async function undoLogsAbove(tx: SystemContext, networkId: number, block: bigint): Promise<void> {
  const undone = await undoMoves(tx, Prisma.sql`h.network_id = ${networkId} AND h.block_number > ${block}`, {
    reconcile: true,
  })
  await deleteCancellationsAbove(tx, networkId, block)
  await deleteUnmatchedMintsAbove(tx, networkId, block)
  await readMetadataAgain(tx, networkId, block)
  await recordVoucherFacts(
    tx,
    undone.flatMap(({ organizationId, networkId, voucherId, txHash, blockNumber, logIndex }) =>
      voucherId === null
        ? []
        : { organizationId, networkId, voucherId, type: 'UNREDEEMED' as const, txHash, blockNumber, logIndex },
    ),
  )
}

const CHANGE = columns('l', 'ChainLog', ['collectionId', 'blockNumber', 'logIndex', 'timestamp', 'topics', 'data'])

/** Metadata that was read after such a log may be gone with it. */
async function readMetadataAgain(tx: SystemContext, networkId: number, block: bigint): Promise<void> {
  const logs = await tx.sql<ChainLogRow>(Prisma.sql`
    SELECT ${Prisma.raw(CHANGE)} FROM chain_logs l
    WHERE network_id = ${networkId} AND block_number > ${block} AND topics[1] = ANY(${[...METADATA_TOPICS]}::text[])`)
  await requestMetadata(tx, movesOf(logs).changes)
}

/**
 * Undoes the projection of a collection's logs from a block on, to build it again: holds aren't compared with the chain
 * meanwhile.
 */
export async function undoCollection(tx: SystemContext, collectionId: string, from: bigint): Promise<void> {
  const which = Prisma.sql`h.collection_id = ${collectionId}::uuid AND h.block_number >= ${from}`
  await undoMoves(tx, which, { reconcile: false })
}

/**
 * The inverse of projecting: history, owners, counters and holds are as they were before. Returns the moves that were
 * undone.
 */
async function undoMoves(
  tx: SystemContext,
  which: Prisma.Sql,
  { reconcile }: { reconcile: boolean },
): Promise<HistoryRow[]> {
  const rows = rowsInChainOrder(
    await tx.sql<RawHistoryRow>(Prisma.sql`DELETE FROM item_history h WHERE ${which} RETURNING ${HISTORY_COLUMNS}`),
  )
  const known = rows.filter(isMatched)
  if (known.length === 0) return rows
  await lockItemRows(tx, [...new Set(known.map(({ itemId }) => itemId))])
  const operators = await operatorsOn(tx, known[0]!.networkId)
  await changeOwners(tx, known, -1n)
  await asChainFact(tx, async () => {
    await changeSupply(tx, known, -1n)
    const { came, went } = await updateCustodyOfMoves(tx, known, operators)
    await advanceHolds(
      tx,
      known.flatMap(({ holdId }) => holdId ?? []),
      'CONSUMED',
      'HELD',
    )
    if (!reconcile) return
    await releaseArrivals(
      tx,
      known.flatMap(({ id, type }) => (type === 'TRANSFER' ? id : [])),
    )
    const delivered = known.filter(({ type, holdId }) => type === 'MINT' || holdId !== null)
    const changed = [...new Set([...delivered.map(({ itemId }) => itemId), ...came, ...went])]
    // A hold that becomes EXCEPTION here is one on a token that isn't there for now.
    await reconcileHolds(tx, changed, { restore: true, went: changed })
  })
  return rows
}

/**
 * A cancellation waits for finality, so it isn't applied yet. One that is being applied at this moment is final enough.
 */
async function deleteCancellationsAbove(tx: SystemContext, networkId: number, block: bigint): Promise<void> {
  await tx.sql(Prisma.sql`
    DELETE FROM voucher_facts WHERE id IN (
      SELECT id FROM voucher_facts
      WHERE network_id = ${networkId} AND type = 'CANCELLED' AND block_number > ${block} FOR UPDATE SKIP LOCKED)`)
}
