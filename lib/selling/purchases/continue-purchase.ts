import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { crashPoint } from '../../core/crash.ts'
import { concludePurchase } from './conclude-purchase.ts'
import { fulfilPurchase } from './fulfil-purchase.ts'
import { lockPurchaseAndClaims } from './lock-purchase.ts'
import { stopDeliveries } from './stop-deliveries.ts'
import { waitsForRecovery } from './waits-for-recovery.ts'

/**
 * Does the next step of a purchase: delivers what was paid, and refunds what can't be delivered. Safe to repeat at any
 * time.
 */
export async function continuePurchase(ctx: Context, intentId: string): Promise<void> {
  crashPoint('before_fulfilling')
  await inTransaction(ctx, async (tx) => {
    const intent = await lockPurchaseAndClaims(tx, intentId)
    if (await waitsForRecovery(tx, intent)) return
    if (intent.status === 'CONFIRMED' && intent.fulfillmentStatus === 'PENDING')
      return void (await fulfilPurchase(tx, intent))
    if (intent.fulfillmentStatus !== 'EXCEPTION') return
    // A refund is for all of the purchase: what is left of a paid one is stopped.
    if (intent.provider === 'CARD_PROVIDER')
      await stopDeliveries(tx, intent, intent.failure ?? 'The purchase was refunded.')
    await concludePurchase(tx, intent)
  })
  crashPoint('purchase_continued')
}
