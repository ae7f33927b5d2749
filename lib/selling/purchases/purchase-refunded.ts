import type { Context } from '../../platform/auth/context.ts'
import { resolveAlarm } from '../../records/alarms/raise-alarm.ts'
import { continuePurchase } from '../../platform/jobs/jobs.ts'
import { enqueue } from '../../platform/jobs/queue.ts'
import { recordEvent } from '../../messaging/webhooks/record-event.ts'
import { advancePurchase } from './advance-purchase.ts'
import { lockPurchase } from './lock-purchase.ts'
import { mailRefund } from './mail-refund.ts'
import { purchaseEventOf } from './purchase-event.ts'
import { priceOfUnits } from './refunded-part.ts'

/**
 * All of the money was refunded, by us or by the organization at the provider. What isn't delivered won't be. `toCard`
 * false: the organization says that it paid the money back in another way.
 */
export async function purchaseRefunded(tx: Context, intentId: string, { toCard = true } = {}): Promise<void> {
  const intent = await lockPurchase(tx, intentId)
  if (intent.status === 'REFUNDED') return
  const undelivered = intent.fulfillmentStatus === 'PENDING' || intent.fulfillmentStatus === 'ASSIGNED'
  const refunded = await advancePurchase(
    tx,
    intent,
    { status: 'REFUNDED', ...(undelivered && { fulfillmentStatus: 'EXCEPTION' as const }) },
    { refundedQuantity: intent.quantity },
  )
  const rest = priceOfUnits(intent, intent.quantity - intent.refundedQuantity)
  await mailRefund(tx, intent, { amountMinor: rest, toCard })
  await recordEvent(tx, 'purchase.refunded', intentId, purchaseEventOf(refunded))
  await resolveAlarm(tx, 'purchase_unresolved', intentId)
  await resolveAlarm(tx, 'purchase_recovered', intentId)
  await enqueue(tx, continuePurchase, { intent_id: intentId }, { key: intentId })
}
