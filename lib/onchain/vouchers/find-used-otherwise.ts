import { toEventSelector } from 'viem'
import { Prisma } from '../../../generated/prisma/client.ts'
import type { AnyContext } from '../../platform/auth/context.ts'

const VOUCHER_CANCELLED = toEventSelector('VoucherCancelled(uint256 indexed tokenId, uint256 indexed nonce)')
const VOUCHER_REDEEMED = toEventSelector('VoucherRedeemed(uint256 indexed nonce)')

/** A voucher's nonce as a topic. */
const NONCE = Prisma.sql`'0x' || lpad(to_hex(v.nonce), 64, '0')`

/**
 * Those of these vouchers that aren't redeemed, and whose nonce or token was used up by something else that is entered:
 * a cancellation or a mint by another voucher with the same nonce (ERC-1155), or a mint to somebody else, of another
 * voucher or of a mint request (ERC-721). `to`: in blocks up to this one.
 */
export async function findUsedOtherwise(
  ctx: AnyContext,
  voucherIds: readonly string[],
  to: bigint | null = null,
): Promise<Set<string>> {
  if (voucherIds.length === 0) return new Set()
  const rows = await ctx.sql<{ id: string }>(Prisma.sql`
    SELECT v.id::text FROM vouchers v JOIN collections c ON c.id = v.collection_id
    WHERE v.id = ANY(${[...voucherIds]}::uuid[]) AND v.state <> 'REDEEMED' AND CASE WHEN c.token_type = 'ERC1155'
      THEN EXISTS (
        SELECT 1 FROM chain_logs l
        WHERE l.collection_id = c.id AND (${to}::bigint IS NULL OR l.block_number <= ${to}::bigint)
          AND (l.topics[1] = ${VOUCHER_CANCELLED} AND l.topics[3] = ${NONCE}
            -- The next log of the transaction is its mint. One on the voucher's own terms would have redeemed it.
            OR l.topics[1] = ${VOUCHER_REDEEMED} AND l.topics[2] = ${NONCE} AND EXISTS (
              SELECT 1 FROM item_history h
              WHERE h.network_id = l.network_id AND h.collection_id = c.id AND h.tx_hash = l.tx_hash
                AND h.log_index = l.log_index + 1 AND h.type = 'MINT'
                AND h.voucher_id IS DISTINCT FROM v.id
                AND (h.item_id IS DISTINCT FROM v.item_id OR h.to_address <> v.minter OR h.quantity <> v.quantity))))
      ELSE EXISTS (
        SELECT 1 FROM item_history h
        WHERE h.item_id = v.item_id AND h.type = 'MINT'
          AND (h.to_address <> v.minter OR h.hold_id IS NOT NULL OR h.voucher_id <> v.id
            OR EXISTS (SELECT 1 FROM mint_requests m
              WHERE m.item_id = v.item_id AND m.state = 'COMPLETED' AND m.tx_hash = h.tx_hash))
          AND h.voucher_id IS DISTINCT FROM v.id) END`)
  return new Set(rows.map(({ id }) => id))
}
