import { Prisma } from '../../../generated/prisma/client.ts'
import type { SystemContext } from '../../platform/auth/context.ts'
import type { Move } from './moves-of.ts'

/**
 * A move as stored in item_history: `itemId` null where the token has no item; the hold that it consumed, the voucher
 * that it redeemed.
 */
export type HistoryRow = Move & { itemId: string | null; holdId: string | null; voucherId: string | null }

/** A move of a token that has an item. */
export type MatchedRow = HistoryRow & { itemId: string }

export const isMatched = (row: HistoryRow): row is MatchedRow => row.itemId !== null

export const inChainOrder = <R extends { id: string }>(rows: readonly R[]): R[] =>
  [...rows].sort((a, b) => (a.id < b.id ? -1 : 1))

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
  voucher_id: string | null
}

/** The columns that a statement on item_history AS h returns for `rowsInChainOrder`. */
export const HISTORY_COLUMNS = Prisma.sql`
  h.id::text, h.organization_id::text, h.collection_id::text, h.item_id::text, h.token_id, h.type::text,
  h.quantity::text, h.from_address, h.to_address, h.network_id, h.tx_hash, h.block_number, h.log_index, h.part,
  h.timestamp, h.hold_id::text, h.voucher_id::text`

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
  voucherId: row.voucher_id,
})

/** Rows in chain order. */
export const rowsInChainOrder = (rows: readonly RawHistoryRow[]): HistoryRow[] => inChainOrder(rows.map(historyRowOf))

/** Inserts whole ranges at once; returns the rows that are new, in chain order. */
export async function insertHistory(tx: SystemContext, moves: readonly Move[]): Promise<HistoryRow[]> {
  if (moves.length === 0) return []
  const rows = await tx.sql<RawHistoryRow>(Prisma.sql`
    INSERT INTO item_history AS h (id, organization_id, collection_id, item_id, token_id, type, quantity, from_address,
      to_address, network_id, tx_hash, block_number, log_index, part, timestamp)
    SELECT m.id, m.organization_id, m.collection_id, i.id, m.token_id, m.type::"HistoryType", m.quantity,
      m.from_address, m.to_address,
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
    ) AS m(id, organization_id, collection_id, token_id, type, quantity, from_address, to_address, tx_hash,
      block_number, log_index, part, timestamp)
    LEFT JOIN items i ON i.collection_id = m.collection_id AND i.token_id = m.token_id
    ON CONFLICT DO NOTHING
    RETURNING ${HISTORY_COLUMNS}`)
  return rowsInChainOrder(rows)
}
