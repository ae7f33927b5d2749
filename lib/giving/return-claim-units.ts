import type { EmailClaim } from '../../generated/prisma/client.ts'
import { advanceEscrowById } from '../onchain/escrows/advance-escrow.ts'
import type { Context } from '../platform/auth/context.ts'
import { purchaseClaimEnded } from '../selling/purchases/on-claim-ended.ts'
import { passHold, releaseHolds } from '../stock/advance-hold.ts'

/**
 * Returns the units of an ended claim: to the purchase that it was to deliver, which decides what follows, to the
 * escrow that it gave, whose token goes back to its sender, or to stock.
 */
export async function returnClaimUnits(
  tx: Context,
  { id, itemId, purchaseIntentId, escrowId }: Pick<EmailClaim, 'id' | 'itemId' | 'purchaseIntentId' | 'escrowId'>,
  why: 'REVOKED' | 'EXPIRED',
): Promise<void> {
  if (purchaseIntentId) await purchaseClaimEnded(tx, { id, purchaseIntentId }, why)
  else if (escrowId) {
    await passHold(tx, { from: { type: 'CLAIM', id }, orMinted: true }, { type: 'ESCROW', id: escrowId }, itemId)
    await advanceEscrowById(tx, escrowId, 'RETURNING')
  } else await releaseHolds(tx, { type: 'CLAIM', id })
}
