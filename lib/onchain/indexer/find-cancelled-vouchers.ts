import { Prisma } from '../../../generated/prisma/client.ts'
import type { WorkerContext } from '../../platform/auth/context.ts'
import type { NewVoucherFact } from '../vouchers/record-voucher-facts.ts'
import type { Cancellation } from './moves-of.ts'

/**
 * The vouchers that these logs void: on ERC-1155 the one with the nonce, on ERC-721 also the older ones of the token. They end once
 * the block is final, since that frees their units.
 */
export async function findCancelledVouchers(
  tx: WorkerContext,
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
    JOIN vouchers v ON v.collection_id = l.collection_id AND v.token_id = l.token_id
      AND (v.nonce = l.nonce OR (c.token_type = 'ERC721' AND v.nonce < l.nonce))
    WHERE v.state IN ('PENDING', 'REDEEMED')`)
  return voided.map(({ id, at }) => {
    const { organizationId, networkId, txHash, blockNumber, logIndex } = cancellations[at - 1]!
    return { organizationId, networkId, txHash, blockNumber, logIndex, type: 'CANCELLED', voucherId: id }
  })
}
