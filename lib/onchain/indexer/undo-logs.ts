import { Prisma } from '../../../generated/prisma/client.ts'
import type { WorkerContext } from '../../platform/auth/context.ts'
import { advanceHolds, asChainFact } from '../../stock/advance-hold.ts'
import { updateCustodyOfMoves, operatorsOn } from './update-custody.ts'
import {
  changeOwners,
  changeSupply,
  HISTORY_COLUMNS,
  type HistoryRow,
  rowsInChainOrder,
  type RawHistoryRow,
} from './project-logs.ts'
import { reconcileHolds } from './reconcile-holds.ts'
import { applyVoucherFact } from './apply-voucher-fact.ts'

/** Undoes the projection of all logs above a block. The logs stay in chain_logs. */
export async function undoLogsAbove(tx: WorkerContext, networkId: number, block: bigint): Promise<void> {
  await undoMoves(tx, Prisma.sql`h.network_id = ${networkId} AND h.block_number > ${block}`, { reconcile: true })
}

/** Undoes the projection of a collection's logs, to build it again: holds aren't compared with the chain meanwhile. */
export async function undoCollection(tx: WorkerContext, collectionId: string): Promise<void> {
  await undoMoves(tx, Prisma.sql`h.collection_id = ${collectionId}::uuid`, { reconcile: false })
}

/** The inverse of projectLogs: history, owners, counters, holds and vouchers are as they were before. */
async function undoMoves(tx: WorkerContext, which: Prisma.Sql, { reconcile }: { reconcile: boolean }): Promise<void> {
  const rows = rowsInChainOrder(
    await tx.sql<RawHistoryRow>(Prisma.sql`DELETE FROM item_history h WHERE ${which} RETURNING ${HISTORY_COLUMNS}`),
  )
  const known = rows.filter((row): row is HistoryRow & { itemId: string } => row.itemId !== null)
  if (known.length === 0) return
  const mints = known.filter(({ type }) => type === 'MINT')
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
    const delivered = known.filter(({ type, holdId }) => type === 'MINT' || holdId !== null)
    const changed = [...new Set([...delivered.map(({ itemId }) => itemId), ...came, ...went])]
    // A hold that becomes EXCEPTION here is one on a token that isn't there for now.
    await reconcileHolds(tx, changed, { restore: true, went: changed })
  })
  await undoRedemptions(tx, mints)
}

type RedeemedVoucher = { id: string; organization_id: string; tx_hash: string }

async function undoRedemptions(tx: WorkerContext, mints: readonly (HistoryRow & { itemId: string })[]): Promise<void> {
  if (mints.length === 0) return
  const vouchers = await tx.sql<RedeemedVoucher>(Prisma.sql`
    SELECT id::text, organization_id::text, tx_hash FROM vouchers
    WHERE state = 'REDEEMED' AND (item_id, tx_hash) IN (SELECT * FROM unnest(
      ${mints.map(({ itemId }) => itemId)}::uuid[], ${mints.map(({ txHash }) => txHash)}::text[]))`)
  for (const voucher of vouchers)
    await applyVoucherFact(tx, voucher.organization_id, 'unredeemed', {
      voucherId: voucher.id,
      txHash: voucher.tx_hash,
    })
}
