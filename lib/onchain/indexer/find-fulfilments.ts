import { type HolderType, Prisma } from '../../../generated/prisma/client.ts'
import { columns } from '../../db/columns.ts'
import type { SystemContext } from '../../platform/auth/context.ts'
import {
  type Arrival,
  type CarriedRequest,
  type Fulfilment,
  matchMintsToPromises,
  type WaitingVoucher,
} from './match-mints-to-promises.ts'
import { mintKey, type RedeemedNonces } from './moves-of.ts'

/** Which of our promises these arrivals keep: mint requests of the transactions that carried them, and vouchers. */
export async function findFulfilments(
  tx: SystemContext,
  arrivals: readonly Arrival[],
  nonces: RedeemedNonces,
): Promise<Fulfilment[]> {
  if (arrivals.length === 0) return []
  const hashes = [...new Set(arrivals.map(({ txHash }) => txHash))]
  const requests = await tx.sql<CarriedRequest>(Prisma.sql`
    SELECT CASE WHEN t.tx_type = 'TRANSFER_TOKEN' THEN 'TRANSFER' ELSE 'MINT' END AS type,
      s.hash AS "txHash", ${Prisma.raw(columns('m', 'MintRequest', ['id', 'itemId', 'toAddress', 'quantity']))},
      ${holdOf('MINT_REQUEST', 'm.id', 'm.item_id')} AS "holdId"
    FROM signed_transactions s
    JOIN transactions t ON t.id = s.transaction_id
    JOIN mint_requests m ON m.id = ANY(s.mint_request_ids)
    WHERE s.network_id = ${arrivals[0]!.networkId} AND s.hash = ANY(${hashes}::text[])
    ORDER BY m.request_number`)
  return matchMintsToPromises(arrivals, requests, await findVouchers(tx, arrivals, nonces), nonces)
}

/**
 * The hold of one promise, as part of a statement. An index of items would give all holds of the item, of which there
 * may be very many: the item is compared so that none can be used.
 */
const holdOf = (type: HolderType, id: string, item: string): Prisma.Sql =>
  Prisma.raw(`(SELECT h.id::text FROM holds h
    WHERE h.holder_type = '${type}' AND h.holder_id = ${id} AND h.state IN ('HELD', 'EXCEPTION')
        AND h.item_id IS NOT DISTINCT FROM ${item} ORDER BY h.state, h.id LIMIT 1)`)

/**
 * The vouchers that these arrivals may redeem: of an ERC-1155 contract those whose nonces were named, since an item may
 * have very many, and those of an ERC-721 token.
 */
async function findVouchers(
  tx: SystemContext,
  arrivals: readonly Arrival[],
  nonces: RedeemedNonces,
): Promise<WaitingVoucher[]> {
  const named = arrivals.flatMap((arrival) => {
    const nonce = nonces.get(mintKey(arrival))
    // A foreign contract may name any number.
    return nonce === undefined || BigInt.asIntN(64, nonce) !== nonce ? [] : [{ ...arrival, nonce }]
  })
  return tx.sql<WaitingVoucher>(Prisma.sql`
    SELECT ${Prisma.raw(columns('v', 'Voucher', ['id', 'itemId', 'nonce', 'minter', 'quantity']))},
      ${Prisma.raw(columns('v', 'Collection', ['tokenType']))},
      coalesce(${holdOf('CLAIM', 'v.claim_id', 'v.item_id')},
        ${holdOf('PURCHASE', 'v.purchase_intent_id', 'v.item_id')}) AS "holdId"
    FROM (
      SELECT v.*, c.token_type
      FROM (SELECT DISTINCT collection_id, nonce FROM unnest(
          ${named.map(({ collectionId }) => collectionId)}::uuid[],
          ${named.map(({ nonce }) => String(nonce))}::text[]::bigint[]) AS n(collection_id, nonce)) n
        JOIN vouchers v ON v.collection_id = n.collection_id AND v.nonce = n.nonce
        JOIN collections c ON c.id = v.collection_id
      WHERE c.token_type IS DISTINCT FROM 'ERC721'
      UNION ALL
      SELECT v.*, c.token_type
      FROM unnest(${[...new Set(arrivals.map(({ itemId }) => itemId))]}::uuid[]) AS n(item_id)
        JOIN items i ON i.id = n.item_id
        JOIN collections c ON c.id = i.collection_id AND c.token_type = 'ERC721' JOIN vouchers v ON v.item_id = i.id) v
    WHERE (v.state IN ('PENDING', 'REDEEMED') OR v.token_type = 'ERC1155')
      AND NOT EXISTS (SELECT 1 FROM item_history used WHERE used.voucher_id = v.id)
    ORDER BY v.nonce`)
}
