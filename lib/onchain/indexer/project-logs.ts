import { Prisma } from '../../../generated/prisma/client.ts'
import { requestMetadata } from '../../catalog/items/request-metadata.ts'
import { resolveAlarm } from '../../records/alarms/raise-alarm.ts'
import type { SystemContext } from '../../platform/auth/context.ts'
import { asChainFact } from '../../stock/advance-hold.ts'
import { recordEvents } from '../../messaging/webhooks/record-event.ts'
import { recordVoucherFacts, type NewVoucherFact } from '../vouchers/record-voucher-facts.ts'
import { changeOwners } from './change-owners.ts'
import { changeSupply } from './change-supply.ts'
import { consumeHolds } from './consume-holds.ts'
import { eventsOfMoves } from './events-of-moves.ts'
import { holdUnknownArrivals } from '../escrows/hold-arrivals.ts'
import { openEscrows } from '../escrows/open-escrows.ts'
import { findCancelledVouchers } from './find-cancelled-vouchers.ts'
import { findFulfilments } from './find-fulfilments.ts'
import {
  HISTORY_COLUMNS,
  inChainOrder,
  insertHistory,
  isMatched,
  type HistoryRow,
  type RawHistoryRow,
  rowsInChainOrder,
} from './history-rows.ts'
import { lockStock } from './lock-stock.ts'
import { type ChainLogRow, movesOf, type RedeemedNonces, type SignedNonces } from './moves-of.ts'
import { updateCustodyOfMoves, operatorsOn } from './update-custody.ts'
import { reconcileHolds } from './reconcile-holds.ts'
import { findMatchedMints, recordUnmatchedMints } from './unmatched-mints.ts'
import { withoutEarlier } from './without-earlier.ts'

/**
 * Projects these logs into history, owners, counters and holds, records events, and queues what they say of vouchers
 * and of foreign metadata. The logs of a transaction must come together. What the chain says is never refused; a log
 * that was entered before changes nothing. `rebuilding`: holds are compared with the chain later, and facts about
 * vouchers are the caller's. `strangers`: transactions by which somebody else brought a signed transfer to our
 * operators (find-strangers-transfers.ts).
 */
export async function projectLogs(
  tx: SystemContext,
  logs: readonly ChainLogRow[],
  { rebuilding = false, strangers = new Set() }: { rebuilding?: boolean; strangers?: ReadonlySet<string> } = {},
): Promise<void> {
  const { moves, nonces, signed, cancellations, changes } = movesOf(logs)
  await lockStock(tx, moves)
  const redeemed = await project(tx, await insertHistory(tx, moves), {
    nonces,
    signed,
    strangers,
    reconcile: !rebuilding,
  })
  if (rebuilding) return
  await recordVoucherFacts(tx, [...redeemed, ...(await findCancelledVouchers(tx, cancellations))])
  if (changes.length > 0) await requestMetadata(tx, await withoutEarlier(tx, changes))
}

/**
 * Projects those of these stored moves whose token had no item when they were seen, and has one now. Returns their
 * number.
 */
export async function projectUnmatchedMoves(tx: SystemContext, historyIds: readonly string[]): Promise<number> {
  const rows = rowsInChainOrder(
    await tx.sql<RawHistoryRow>(Prisma.sql`
      UPDATE item_history h SET item_id = i.id FROM items i
      WHERE h.id = ANY(${[...historyIds]}::uuid[]) AND h.item_id IS NULL AND i.collection_id = h.collection_id
        AND i.token_id = h.token_id
      RETURNING ${HISTORY_COLUMNS}`),
  )
  await lockStock(tx, rows)
  await recordVoucherFacts(
    tx,
    await project(tx, rows, { nonces: new Map(), signed: new Map(), strangers: new Set(), reconcile: true }),
  )
  return rows.length
}

/** Facts about moves that the moves themselves don't tell. */
type Said = { nonces: RedeemedNonces; signed: SignedNonces; strangers: ReadonlySet<string> }

/** Returns what the moves say of vouchers. The items must be locked. */
async function project(
  tx: SystemContext,
  rows: readonly HistoryRow[],
  { nonces, signed, strangers, reconcile }: Said & { reconcile: boolean },
): Promise<NewVoucherFact[]> {
  const known = rows.filter(isMatched)
  if (known.length === 0) return []
  const operators = await operatorsOn(tx, known[0]!.networkId)
  const mints = known.filter(({ type }) => type === 'MINT')
  const given = known.filter(({ type, fromAddress }) => type === 'TRANSFER' && operators.has(fromAddress))
  const arrivals = inChainOrder([...mints, ...given])
  const fulfilments = await findFulfilments(tx, arrivals, nonces)
  const explained = new Set(fulfilments.map(({ arrival }) => arrival.id))
  const unmatched = arrivals.filter(({ id }) => !explained.has(id))
  if (!reconcile) fulfilments.push(...(await findMatchedMints(tx, unmatched)))
  else await recordUnmatchedMints(tx, unmatched)
  await asChainFact(tx, async () => {
    // In this order an item is never seen as free or not minted in between, and its indexes are written once.
    await changeSupply(tx, known, 1n)
    await consumeHolds(tx, fulfilments)
    await changeOwners(tx, known, 1n)
    const { came, went } = await updateCustodyOfMoves(tx, known, operators)
    if (!reconcile) return
    // Before any other hold could have the token.
    const arrived = known.filter(({ type, itemId }) => type === 'TRANSFER' && came.includes(itemId))
    await openEscrows(tx, arrived, signed)
    const unclear = arrived.filter(({ fromAddress, txHash }) => !operators.has(fromAddress) && !strangers.has(txHash))
    await holdUnknownArrivals(tx, unclear, signed)
    await reconcileHolds(tx, [...new Set([...mints.map(({ itemId }) => itemId), ...went])], { restore: false, went })
    await reconcileHolds(tx, came, { restore: true })
  })
  // A reorg may have undone the token's arrival before it arrived, and was handed over, again.
  for (const { arrival } of fulfilments.filter(({ arrival }) => arrival.type === 'TRANSFER'))
    await resolveAlarm(tx, 'token_gone', arrival.itemId)
  await recordEvents(tx, eventsOfMoves(await withoutEarlier(tx, known), fulfilments))
  const places = new Map(mints.map((row) => [row.id, row]))
  return fulfilments
    .filter(({ promise }) => promise.type === 'VOUCHER')
    .map(({ arrival, promise }) => ({ ...factOf(places.get(arrival.id)!), type: 'REDEEMED', voucherId: promise.id }))
}

const factOf = ({ organizationId, networkId, txHash, blockNumber, logIndex }: HistoryRow) => ({
  organizationId,
  networkId,
  txHash,
  blockNumber,
  logIndex,
})
