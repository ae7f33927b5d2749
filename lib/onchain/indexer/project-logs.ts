import { type HolderType, Prisma } from '../../../generated/prisma/client.ts'
import { requestMetadata } from '../../catalog/items/request-metadata.ts'
import { resolveAlarm } from '../../records/alarms/raise-alarm.ts'
import type { WorkerContext } from '../../platform/auth/context.ts'
import { advanceHolds, asChainFact } from '../../stock/advance-hold.ts'
import { type EventRecord, recordEvents } from '../../messaging/webhooks/record-event.ts'
import { recordVoucherFacts, type NewVoucherFact } from '../vouchers/record-voucher-facts.ts'
import { ownerChanges, supplyChanges } from './balances.ts'
import { holdUnknownArrivals } from '../escrows/hold-arrivals.ts'
import { openEscrows } from '../escrows/open-escrows.ts'
import { findCancelledVouchers } from './find-cancelled-vouchers.ts'
import {
  HISTORY_COLUMNS,
  inChainOrder,
  insertHistory,
  isMatched,
  type HistoryRow,
  type MatchedRow,
  type RawHistoryRow,
  rowsInChainOrder,
} from './history-rows.ts'
import { lockStock } from './lock-stock.ts'
import {
  type Arrival,
  type CarriedRequest,
  type Fulfilment,
  matchMintsToPromises,
  type WaitingVoucher,
} from './match-mints-to-promises.ts'
import { type ChainLogRow, mintKey, movesOf, type RedeemedNonces, type SignedNonces } from './moves-of.ts'
import { updateCustodyOfMoves, operatorsOn } from './update-custody.ts'
import { reconcileHolds } from './reconcile-holds.ts'
import { findMatchedMints, recordUnmatchedMints } from './unmatched-mints.ts'

/**
 * Projects these logs into history, owners, counters and holds, records events, and queues what they say of vouchers and of
 * foreign metadata.
 * The logs of a transaction must come together. What the chain says is never refused; a log that was entered before
 * changes nothing. `rebuilding`: holds are compared with the chain later, and facts about vouchers are the caller's. `strangers`: transactions by
 * which somebody else brought a signed transfer to our operators (find-strangers-transfers.ts).
 */
export async function projectLogs(
  tx: WorkerContext,
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

/** Projects those of these stored moves whose token had no item when they were seen, and has one now. Returns their number. */
export async function projectUnmatchedMoves(tx: WorkerContext, historyIds: readonly string[]): Promise<number> {
  const rows = rowsInChainOrder(
    await tx.sql<RawHistoryRow>(Prisma.sql`
      UPDATE item_history h SET item_id = i.id FROM items i
      WHERE h.id = ANY(${[...historyIds]}::uuid[]) AND h.item_id IS NULL AND i.collection_id = h.collection_id AND i.token_id = h.token_id
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
  tx: WorkerContext,
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
  await recordEvents(tx, eventsOf(await withoutEarlier(tx, known), fulfilments))
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

async function findFulfilments(
  tx: WorkerContext,
  arrivals: readonly Arrival[],
  nonces: RedeemedNonces,
): Promise<Fulfilment[]> {
  if (arrivals.length === 0) return []
  const hashes = [...new Set(arrivals.map(({ txHash }) => txHash))]
  const requests = await tx.sql<CarriedRequest>(Prisma.sql`
    SELECT m.id::text, CASE WHEN t.tx_type = 'TRANSFER_TOKEN' THEN 'TRANSFER' ELSE 'MINT' END AS type,
      s.hash AS "txHash", m.item_id::text AS "itemId", m.to_address AS "toAddress", m.quantity,
      ${holdOf('MINT_REQUEST', 'm.id', 'm.item_id')} AS "holdId"
    FROM signed_transactions s
    JOIN transactions t ON t.id = s.transaction_id
    JOIN mint_requests m ON m.id = ANY(s.mint_request_ids)
    WHERE s.network_id = ${arrivals[0]!.networkId} AND s.hash = ANY(${hashes}::text[])
    ORDER BY m.request_number`)
  return matchMintsToPromises(arrivals, requests, await findVouchers(tx, arrivals, nonces), nonces)
}

/**
 * The hold of one promise, as part of a statement. An index of items would give all holds of the item, of which there may be very many: the item is
 * compared so that none can be used.
 */
const holdOf = (type: HolderType, id: string, item: string): Prisma.Sql =>
  Prisma.raw(`(SELECT h.id::text FROM holds h WHERE h.holder_type = '${type}' AND h.holder_id = ${id} AND h.state IN ('HELD', 'EXCEPTION')
        AND h.item_id IS NOT DISTINCT FROM ${item} ORDER BY h.state, h.id LIMIT 1)`)

/**
 * The vouchers that these arrivals may redeem: of an ERC-1155 contract those whose nonces were named, since an item may have very many, and those of an
 * ERC-721 token.
 */
async function findVouchers(
  tx: WorkerContext,
  arrivals: readonly Arrival[],
  nonces: RedeemedNonces,
): Promise<WaitingVoucher[]> {
  const named = arrivals.flatMap((arrival) => {
    const nonce = nonces.get(mintKey(arrival))
    // A foreign contract may name any number.
    return nonce === undefined || BigInt.asIntN(64, nonce) !== nonce ? [] : [{ ...arrival, nonce }]
  })
  return tx.sql<WaitingVoucher>(Prisma.sql`
    SELECT v.id::text, v.item_id::text AS "itemId", v.token_type::text AS "tokenType", v.nonce, v.minter, v.quantity,
      coalesce(${holdOf('CLAIM', 'v.claim_id', 'v.item_id')}, ${holdOf('PURCHASE', 'v.purchase_intent_id', 'v.item_id')}) AS "holdId"
    FROM (
      SELECT v.*, c.token_type
      FROM (SELECT DISTINCT collection_id, nonce FROM unnest(
          ${named.map(({ collectionId }) => collectionId)}::uuid[], ${named.map(({ nonce }) => String(nonce))}::text[]::bigint[]) AS n(collection_id, nonce)) n
        JOIN vouchers v ON v.collection_id = n.collection_id AND v.nonce = n.nonce JOIN collections c ON c.id = v.collection_id
      WHERE c.token_type IS DISTINCT FROM 'ERC721'
      UNION ALL
      SELECT v.*, c.token_type
      FROM unnest(${[...new Set(arrivals.map(({ itemId }) => itemId))]}::uuid[]) AS n(item_id) JOIN items i ON i.id = n.item_id
        JOIN collections c ON c.id = i.collection_id AND c.token_type = 'ERC721' JOIN vouchers v ON v.item_id = i.id) v
    WHERE (v.state IN ('PENDING', 'REDEEMED') OR v.token_type = 'ERC1155')
      AND NOT EXISTS (SELECT 1 FROM item_history used WHERE used.voucher_id = v.id)
    ORDER BY v.nonce`)
}

/** Consumes the holds of the promises that were kept, and stores with each move what it consumed and redeemed. */
async function consumeHolds(tx: WorkerContext, fulfilments: readonly Fulfilment[]): Promise<void> {
  if (fulfilments.length === 0) return
  const ids = fulfilments.flatMap(({ promise }) => promise.holdId ?? [])
  await advanceHolds(tx, ids, 'EXCEPTION', 'CONSUMED')
  await advanceHolds(tx, ids, 'HELD', 'CONSUMED')
  await tx.sql(Prisma.sql`
    UPDATE item_history h SET hold_id = f.hold_id, voucher_id = f.voucher_id
    FROM unnest(
      ${fulfilments.map(({ arrival }) => arrival.id)}::uuid[],
      ${fulfilments.map(({ promise }) => promise.holdId)}::uuid[],
      ${fulfilments.map(({ promise }) => (promise.type === 'VOUCHER' ? promise.id : null))}::uuid[]
    ) AS f(id, hold_id, voucher_id)
    WHERE h.id = f.id`)
}

/** `sign` -1n undoes the moves. */
export async function changeSupply(tx: WorkerContext, rows: readonly MatchedRow[], sign: 1n | -1n): Promise<void> {
  const changes = supplyChanges(rows)
  if (changes.length === 0) return
  await tx.sql(Prisma.sql`
    UPDATE items i SET minted = i.minted + c.minted, burned = i.burned + c.burned
    FROM unnest(
      ${changes.map(({ itemId }) => itemId)}::uuid[],
      ${changes.map(({ minted }) => String(minted * sign))}::text[]::bigint[],
      ${changes.map(({ burned }) => String(burned * sign))}::text[]::bigint[]
    ) AS c(id, minted, burned)
    WHERE i.id = c.id`)
}

/** `sign` -1n undoes the moves. */
export async function changeOwners(tx: WorkerContext, rows: readonly MatchedRow[], sign: 1n | -1n): Promise<void> {
  const changes = ownerChanges(rows)
  if (changes.length === 0) return
  const organizations = new Map(rows.map(({ itemId, organizationId }) => [itemId, organizationId]))
  const itemIds = changes.map(({ itemId }) => itemId)
  await tx.sql(Prisma.sql`
    INSERT INTO item_owners AS o (organization_id, item_id, address, quantity)
    SELECT * FROM unnest(
      ${itemIds.map((itemId) => organizations.get(itemId)!)}::uuid[],
      ${itemIds}::uuid[],
      ${changes.map(({ address }) => address)}::text[],
      ${changes.map(({ change }) => String(change * sign))}::text[]::numeric[]
    )
    ON CONFLICT (item_id, address) DO UPDATE SET quantity = o.quantity + excluded.quantity`)
  await tx.sql(
    Prisma.sql`DELETE FROM item_owners WHERE quantity = 0 AND item_id = ANY(${[...new Set(itemIds)]}::uuid[])`,
  )
}

/** Block timestamps aren't exactly ours. */
const CLOCK_SKEW_MS = 60_000

/** Leaves out what happened at a foreign contract before it was connected: that is history, raises no event, and its metadata is read later. */
async function withoutEarlier<R extends Pick<HistoryRow, 'collectionId' | 'timestamp'>>(
  tx: WorkerContext,
  rows: readonly R[],
): Promise<readonly R[]> {
  const collectionIds = [...new Set(rows.map(({ collectionId }) => collectionId))]
  const foreign = await tx.db.collection.findMany({
    where: { id: { in: collectionIds }, deploymentType: 'EXTERNAL' },
    select: { id: true, deployedAt: true },
  })
  const since = new Map(foreign.map(({ id, deployedAt }) => [id, (deployedAt?.getTime() ?? 0) - CLOCK_SKEW_MS]))
  return rows.filter(({ collectionId, timestamp }) => timestamp.getTime() >= (since.get(collectionId) ?? 0))
}

const EVENT_TYPES = { MINT: 'item.minted', TRANSFER: 'item.transferred', BURN: 'item.burned' } as const

/**
 * One event a move. Its key survives a reorg: a delivery is keyed by the mint request or voucher that it fulfils, other
 * moves by transaction, token and position among its moves, since a log's index in its block may change.
 */
function eventsOf(rows: readonly MatchedRow[], fulfilments: readonly Fulfilment[]): EventRecord[] {
  const promises = new Map(fulfilments.map(({ arrival, promise }) => [arrival.id, `${promise.type} ${promise.id}`]))
  const places = new Map<string, number>()
  return rows.map((row) => {
    const within = `${row.networkId} ${row.txHash} ${row.collectionId} ${row.tokenId}`
    const place = places.get(within) ?? 0
    places.set(within, place + 1)
    return {
      organizationId: row.organizationId,
      type: EVENT_TYPES[row.type],
      key: promises.get(row.id) ?? `${within} ${place}`,
      data: {
        item_id: row.itemId,
        collection_id: row.collectionId,
        network_id: row.networkId,
        token_id: row.tokenId,
        quantity: row.quantity.toString(),
        from: row.fromAddress,
        to: row.toAddress,
        tx_hash: row.txHash,
        block_number: Number(row.blockNumber),
        log_index: row.logIndex,
        timestamp: row.timestamp.toISOString(),
      },
    }
  })
}
