import { Prisma } from '../../../generated/prisma/client.ts'
import type { SystemContext } from '../../platform/auth/context.ts'
import type { NewVoucherFact } from '../vouchers/record-voucher-facts.ts'
import type { Cancellation } from './moves-of.ts'

/**
 * The vouchers that these logs void: on ERC-1155 the one with the nonce, on ERC-721 also the older ones of the token.
 * They end once the block is final, since that frees their units.
 */
export async function findCancelledVouchers(
  tx: SystemContext,
  cancellations: readonly Cancellation[],
): Promise<NewVoucherFact[]> {
  if (cancellations.length === 0) return []
  const voided = await tx.sql<{ id: string; at: number }>(Prisma.sql`
    SELECT v.id::text, l.at::int AS at
    FROM unnest(
      ${cancellations.map(({ collectionId }) => collectionId)}::uuid[],
      ${cancellations.map(({ tokenId }) => String(tokenId))}::text[],
      ${cancellations.map(({ nonce }) => String(nonce))}::text[]::numeric[]
    ) WITH ORDINALITY AS l(collection_id, token_id, nonce, at)
    JOIN collections c ON c.id = l.collection_id
    -- A token of ERC-1155 may have very many vouchers: only the one of the nonce is read. Its token is compared so that
    -- no index of tokens can be used.
    CROSS JOIN LATERAL (
      SELECT v.id, v.state FROM vouchers v
      WHERE v.collection_id = l.collection_id
        AND v.nonce = CASE WHEN l.nonce < 9223372036854775808 THEN l.nonce::bigint END
        AND v.token_id IS NOT DISTINCT FROM l.token_id
      UNION ALL
      SELECT v.id, v.state FROM vouchers v
      WHERE c.token_type = 'ERC721' AND v.collection_id = l.collection_id AND v.token_id = l.token_id
        AND v.nonce < l.nonce) v
    WHERE v.state IN ('PENDING', 'REDEEMED')`)
  return voided.map(({ id, at }) => {
    const { organizationId, networkId, txHash, blockNumber, logIndex } = cancellations[at - 1]!
    return { organizationId, networkId, txHash, blockNumber, logIndex, type: 'CANCELLED', voucherId: id }
  })
}
