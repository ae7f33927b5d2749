import type { EmailClaim } from '../../generated/prisma/client.ts'
import type { Context } from '../platform/auth/context.ts'
import { purchaseClaimEnded } from '../selling/purchases/on-claim-ended.ts'
import { releaseHolds } from '../stock/advance-hold.ts'

/** Returns the units of an ended claim: to the purchase that it was to deliver, which decides what follows, or to stock. */
export async function returnUnits(
  tx: Context,
  { id, purchaseIntentId }: Pick<EmailClaim, 'id' | 'purchaseIntentId'>,
  why: 'REVOKED' | 'EXPIRED',
): Promise<void> {
  if (purchaseIntentId) await purchaseClaimEnded(tx, { id, purchaseIntentId }, why)
  else await releaseHolds(tx, { type: 'CLAIM', id })
}
