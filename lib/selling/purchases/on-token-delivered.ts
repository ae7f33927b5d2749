import type { Context } from '../../platform/auth/context.ts'
import { recordEvent } from '../../messaging/webhooks/record-event.ts'
import { advancePurchase } from './advance-purchase.ts'
import { lockPurchase } from './lock-purchase.ts'
import { purchaseEventOf } from './purchase-event.ts'
import { partsOf } from './delivery-parts.ts'

/** Units of a purchase are on the chain. Once all are, it is fulfilled; integrators are told once, whatever a reorg undoes. */
export async function purchaseDelivered(tx: Context, intentId: string): Promise<void> {
  const intent = await lockPurchase(tx, intentId)
  const { delivered } = await partsOf(tx, intentId)
  const units = await tx.db.purchaseUnit.findMany({ where: { intentId }, select: { itemId: true } })
  if (intent.fulfillmentStatus === 'COMPLETED' || units.some(({ itemId }) => !delivered.has(itemId))) return
  await advancePurchase(tx, intent, { fulfillmentStatus: 'COMPLETED' }, { completedAt: tx.now() })
  await recordEvent(
    tx,
    'purchase.fulfilled',
    intentId,
    purchaseEventOf(intent, { item_ids: units.map(({ itemId }) => itemId) }),
  )
}

/** A reorg undid a mint: it is under way again. */
export async function purchaseUndelivered(tx: Context, intentId: string): Promise<void> {
  const intent = await lockPurchase(tx, intentId)
  if (intent.fulfillmentStatus === 'COMPLETED')
    await advancePurchase(
      tx,
      intent,
      { fulfillmentStatus: 'ASSIGNED' },
      { completedAt: null },
      'The chain took the mint back.',
    )
}
