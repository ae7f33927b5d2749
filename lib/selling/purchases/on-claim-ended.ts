import type { EmailClaim } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { returnHolds } from '../../stock/advance-hold.ts'
import { concludePurchase } from './conclude-purchase.ts'
import { lockPurchase } from './lock-purchase.ts'
import { purchaseFailed } from './purchase-failed.ts'

const WHY = { REVOKED: 'Its email claim was revoked.', EXPIRED: 'Nobody fetched it in time.' }

/**
 * A claim of a purchase ended, and nothing signed can mint its units any more: they return to the purchase. When that
 * was its last open delivery, the refund is requested in this transaction.
 */
export async function purchaseClaimEnded(
  tx: Context,
  claim: Pick<EmailClaim, 'id'> & { purchaseIntentId: string },
  to: 'REVOKED' | 'EXPIRED',
): Promise<void> {
  const intent = await lockPurchase(tx, claim.purchaseIntentId)
  await returnHolds(tx, { type: 'CLAIM', id: claim.id }, { type: 'PURCHASE', id: intent.id })
  const failed = await purchaseFailed(tx, intent, WHY[to])
  await concludePurchase(tx, failed)
}
