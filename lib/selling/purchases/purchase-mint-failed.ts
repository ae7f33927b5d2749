import type { Context } from '../../platform/auth/context.ts'
import { lockPurchase } from './lock-purchase.ts'
import { purchaseFailed } from './purchase-failed.ts'

/** Our mint for it failed for good, or was taken back; the units are the purchase's again. */
export async function purchaseMintFailed(tx: Context, intentId: string, reason: string): Promise<void> {
  const intent = await lockPurchase(tx, intentId)
  await purchaseFailed(tx, intent, reason)
}
