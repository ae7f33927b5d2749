import { Prisma } from '../../../generated/prisma/client.ts'
import { resolveAlarm } from '../../records/alarms/raise-alarm.ts'
import type { WorkerContext } from '../../platform/auth/context.ts'
import { advanceHolds, asChainFact } from '../../stock/advance-hold.ts'
import { type EventRecord, recordEvents } from '../../messaging/webhooks/record-event.ts'
import { ownerChanges, supplyChanges } from './balances.ts'
import {
  type Arrival,
  type CarriedRequest,
  type Fulfilment,
  matchMintsToPromises,
  type WaitingVoucher,
} from './match-mints-to-promises.ts'
import { type ChainLogRow, type Move, movesOf, type RedeemedNonces } from './moves-of.ts'
import { updateCustodyOfMoves, operatorsOn } from './update-custody.ts'
import { reconcileHolds } from './reconcile-holds.ts'
import { applyVoucherFact } from './apply-voucher-fact.ts'

/** A move as stored in item_history: `itemId` null where the token has no item. */
export type HistoryRow = Move & { itemId: string | null; holdId: string | null }

/**
 * Projects these logs into history, owners, counters, holds and vouchers, and records events. The logs of a transaction
 * must come together. What the chain says is never refused; a log that was entered before changes nothing. `reconcile`
 * false: holds are compared with the chain later.
 */
export async function projectLogs(
  tx: WorkerContext,
  logs: readonly ChainLogRow[],
  { reconcile = true } = {},
): Promise<void> {
  const { moves, nonces } = movesOf(logs)
  const rows = await insertHistory(tx, moves)
  await project(tx, rows, nonces, { reconcile })
}

/** Projects the moves of tokens that had no item when they were seen, and have one now. */
export async function projectUnmatchedMoves(tx: WorkerContext, networkId: number): Promise<void> {
  const rows = await tx.sql<RawHistoryRow>(Prisma.sql`
    UPDATE item_history h SET item_id = i.id FROM items i
    WHERE h.item_id IS NULL AND h.network_id = ${networkId} AND i.collection_id = h.collection_id AND i.token_id = h.token_id
    RETURNING ${HISTORY_COLUMNS}`)
  await project(tx, rowsInChainOrder(rows), new Map(), { reconcile: true })
}

async function project(
  tx: WorkerContext,
  rows: readonly HistoryRow[],
  nonces: RedeemedNonces,
  { reconcile }: { reconcile: boolean },
): Promise<void> {
  const known = rows.filter((row): row is HistoryRow & { itemId: string } => row.itemId !== null)
  if (known.length === 0) return
  const operators = await operatorsOn(tx, known[0]!.networkId)
  const mints = known.filter(({ type }) => type === 'MINT')
  const given = known.filter(({ type, fromAddress }) => type === 'TRANSFER' && operators.has(fromAddress))
  const fulfilments = await findFulfilments(tx, inChainOrder([...mints, ...given]), nonces)
  await asChainFact(tx, async () => {
    await consumeHolds(tx, fulfilments)
    await changeSupply(tx, known, 1n)
    await changeOwners(tx, known, 1n)
    const { came, went } = await updateCustodyOfMoves(tx, known, operators)
    if (!reconcile) return
    await reconcileHolds(tx, [...new Set([...mints.map(({ itemId }) => itemId), ...went])], { restore: false, went })
    await reconcileHolds(tx, came, { restore: true })
  })
  // A reorg may have undone the token's arrival before it arrived, and was handed over, again.
  for (const { arrival } of fulfilments.filter(({ arrival }) => arrival.type === 'TRANSFER'))
    await resolveAlarm(tx, 'token_gone', arrival.itemId)
  await recordEvents(tx, eventsOf(await withoutEarlierMoves(tx, known), fulfilments))
  for (const { arrival, promise } of fulfilments.filter(({ promise }) => promise.type === 'VOUCHER'))
    await applyVoucherFact(tx, arrival.organizationId, 'redeemed', { voucherId: promise.id, txHash: arrival.txHash })
}

const inChainOrder = <R extends { id: string }>(rows: readonly R[]): R[] =>
  [...rows].sort((a, b) => (a.id < b.id ? -1 : 1))

async function findFulfilments(
  tx: WorkerContext,
  arrivals: readonly Arrival[],
  nonces: RedeemedNonces,
): Promise<Fulfilment[]> {
  if (arrivals.length === 0) return []
  const hashes = [...new Set(arrivals.map(({ txHash }) => txHash))]
  const itemIds = [...new Set(arrivals.map(({ itemId }) => itemId))]
  const requests = await tx.sql<CarriedRequest>(Prisma.sql`
    SELECT m.id::text, CASE WHEN t.tx_type = 'TRANSFER_TOKEN' THEN 'TRANSFER' ELSE 'MINT' END AS type,
      s.hash AS "txHash", m.item_id::text AS "itemId", m.to_address AS "toAddress", m.quantity, h.id::text AS "holdId"
    FROM signed_transactions s
    JOIN transactions t ON t.id = s.transaction_id
    JOIN mint_requests m ON m.id = ANY(s.mint_request_ids)
    LEFT JOIN holds h ON h.holder_type = 'MINT_REQUEST' AND h.holder_id = m.id AND h.item_id = m.item_id AND h.state IN ('HELD', 'EXCEPTION')
    WHERE s.network_id = ${arrivals[0]!.networkId} AND s.hash = ANY(${hashes}::text[])
    ORDER BY m.request_number`)
  const vouchers = await tx.sql<WaitingVoucher>(Prisma.sql`
    SELECT v.id::text, v.item_id::text AS "itemId", c.token_type::text AS "tokenType", v.nonce, v.minter, v.quantity, h.id::text AS "holdId"
    FROM vouchers v
    JOIN collections c ON c.id = v.collection_id
    LEFT JOIN holds h ON h.item_id = v.item_id AND h.state IN ('HELD', 'EXCEPTION')
      AND ((h.holder_type = 'CLAIM' AND h.holder_id = v.claim_id) OR (h.holder_type = 'PURCHASE' AND h.holder_id = v.purchase_intent_id))
    WHERE (v.state = 'PENDING' OR (c.token_type = 'ERC1155' AND v.state <> 'REDEEMED')) AND v.item_id = ANY(${itemIds}::uuid[])
    ORDER BY v.nonce`)
  return matchMintsToPromises(arrivals, requests, vouchers, nonces)
}

async function consumeHolds(tx: WorkerContext, fulfilments: readonly Fulfilment[]): Promise<void> {
  const held = fulfilments.filter(({ promise }) => promise.holdId !== null)
  if (held.length === 0) return
  const ids = held.map(({ promise }) => promise.holdId!)
  await advanceHolds(tx, ids, 'EXCEPTION', 'CONSUMED')
  await advanceHolds(tx, ids, 'HELD', 'CONSUMED')
  await tx.sql(Prisma.sql`
    UPDATE item_history h SET hold_id = f.hold_id
    FROM unnest(${held.map(({ arrival }) => arrival.id)}::uuid[], ${held.map(({ promise }) => promise.holdId)}::uuid[]) AS f(id, hold_id)
    WHERE h.id = f.id`)
}

/** `sign` -1n undoes the moves. */
export async function changeSupply(
  tx: WorkerContext,
  rows: readonly (HistoryRow & { itemId: string })[],
  sign: 1n | -1n,
): Promise<void> {
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
export async function changeOwners(
  tx: WorkerContext,
  rows: readonly (HistoryRow & { itemId: string })[],
  sign: 1n | -1n,
): Promise<void> {
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

/** Leaves out what happened at a foreign contract before it was connected: that is history and raises no event. */
async function withoutEarlierMoves<R extends HistoryRow>(tx: WorkerContext, rows: readonly R[]): Promise<readonly R[]> {
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
function eventsOf(
  rows: readonly (HistoryRow & { itemId: string })[],
  fulfilments: readonly Fulfilment[],
): EventRecord[] {
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

export type RawHistoryRow = {
  id: string
  organization_id: string
  collection_id: string
  item_id: string | null
  token_id: string
  type: Move['type']
  quantity: string
  from_address: string
  to_address: string
  network_id: number
  tx_hash: string
  block_number: bigint
  log_index: number
  part: number
  timestamp: Date
  hold_id: string | null
}

/** The columns that a statement on item_history AS h returns for `inOrder`. */
export const HISTORY_COLUMNS = Prisma.sql`
  h.id::text, h.organization_id::text, h.collection_id::text, h.item_id::text, h.token_id, h.type::text, h.quantity::text, h.from_address, h.to_address,
  h.network_id, h.tx_hash, h.block_number, h.log_index, h.part, h.timestamp, h.hold_id::text`

const historyRowOf = (row: RawHistoryRow): HistoryRow => ({
  id: row.id,
  organizationId: row.organization_id,
  collectionId: row.collection_id,
  itemId: row.item_id,
  tokenId: row.token_id,
  type: row.type,
  quantity: BigInt(row.quantity),
  fromAddress: row.from_address,
  toAddress: row.to_address,
  networkId: row.network_id,
  txHash: row.tx_hash,
  blockNumber: row.block_number,
  logIndex: row.log_index,
  part: row.part,
  timestamp: row.timestamp,
  holdId: row.hold_id,
})

/** Rows in chain order. */
export const rowsInChainOrder = (rows: readonly RawHistoryRow[]): HistoryRow[] => inChainOrder(rows.map(historyRowOf))

/** Inserts whole ranges at once; returns the rows that are new, in chain order. */
async function insertHistory(tx: WorkerContext, moves: readonly Move[]): Promise<HistoryRow[]> {
  if (moves.length === 0) return []
  const rows = await tx.sql<RawHistoryRow>(Prisma.sql`
    INSERT INTO item_history AS h (id, organization_id, collection_id, item_id, token_id, type, quantity, from_address, to_address,
      network_id, tx_hash, block_number, log_index, part, timestamp)
    SELECT m.id, m.organization_id, m.collection_id, i.id, m.token_id, m.type::"HistoryType", m.quantity, m.from_address, m.to_address,
      ${moves[0]!.networkId}, m.tx_hash, m.block_number, m.log_index, m.part, m.timestamp
    FROM unnest(
      ${moves.map(({ id }) => id)}::uuid[],
      ${moves.map(({ organizationId }) => organizationId)}::uuid[],
      ${moves.map(({ collectionId }) => collectionId)}::uuid[],
      ${moves.map(({ tokenId }) => tokenId)}::text[],
      ${moves.map(({ type }) => type)}::text[],
      ${moves.map(({ quantity }) => String(quantity))}::text[]::numeric[],
      ${moves.map(({ fromAddress }) => fromAddress)}::text[],
      ${moves.map(({ toAddress }) => toAddress)}::text[],
      ${moves.map(({ txHash }) => txHash)}::text[],
      ${moves.map(({ blockNumber }) => String(blockNumber))}::text[]::bigint[],
      ${moves.map(({ logIndex }) => logIndex)}::int[],
      ${moves.map(({ part }) => part)}::int[],
      ${moves.map(({ timestamp }) => timestamp.toISOString())}::text[]::timestamptz[]
    ) AS m(id, organization_id, collection_id, token_id, type, quantity, from_address, to_address, tx_hash, block_number, log_index, part, timestamp)
    LEFT JOIN items i ON i.collection_id = m.collection_id AND i.token_id = m.token_id
    ON CONFLICT DO NOTHING
    RETURNING ${HISTORY_COLUMNS}`)
  return rowsInChainOrder(rows)
}
