import type { EmailClaim } from '../../generated/prisma/client.ts'
import type { Context } from '../platform/auth/context.ts'
import { purchaseClaimEnded } from '../selling/purchases/purchase-claim-ended.ts'
import { releaseHolds } from '../stock/advance-hold.ts'

/** What a claim that is over held: to the purchase it was to deliver, which decides what follows, or to stock. */
export async function giveUnitsBack(
  tx: Context,
  { id, purchaseIntentId }: Pick<EmailClaim, 'id' | 'purchaseIntentId'>,
  to: 'REVOKED' | 'EXPIRED',
): Promise<void> {
  if (purchaseIntentId) await purchaseClaimEnded(tx, { id, purchaseIntentId }, to)
  else await releaseHolds(tx, { type: 'CLAIM', id })
}
