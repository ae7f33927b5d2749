import type { Context } from '../../platform/auth/context.ts'
import { returnHolds } from '../../stock/advance-hold.ts'
import { lockPurchase } from './lock-purchase.ts'
import { purchaseFailed } from './purchase-failed.ts'

/** The mint of a purchase failed permanently, or was cancelled: its units return to the purchase, which has failed. */
export async function purchaseMintFailed(
  tx: Context,
  { mintId, intentId }: { mintId: string; intentId: string },
  reason: string,
): Promise<void> {
  const intent = await lockPurchase(tx, intentId)
  await returnHolds(tx, { type: 'MINT_REQUEST', id: mintId }, { type: 'PURCHASE', id: intentId })
  await purchaseFailed(tx, intent, reason)
}
