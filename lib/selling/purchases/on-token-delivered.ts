import type { Context } from '../../platform/auth/context.ts'
import { recordEvent } from '../../messaging/webhooks/record-event.ts'
import { advancePurchase } from './advance-purchase.ts'
import { lockPurchase } from './lock-purchase.ts'
import { purchaseEventOf } from './purchase-event.ts'
import { partsOf } from './delivery-parts.ts'
import { unitsRefunded } from './refunded-part.ts'

/**
 * Units of a purchase are on the chain. Once all are, but for refunded ones, it is completed; integrators are told
 * once, whatever a reorg undoes.
 */
export async function purchaseDelivered(tx: Context, intentId: string): Promise<void> {
  const intent = await lockPurchase(tx, intentId)
  const { delivered } = await partsOf(tx, intentId)
  const units = await tx.db.purchaseUnit.findMany({ where: { intentId }, select: { itemId: true, quantity: true } })
  const missing = units.reduce((sum, { itemId, quantity }) => (delivered.has(itemId) ? sum : sum + quantity), 0n)
  if (intent.fulfillmentStatus === 'COMPLETED' || (missing > 0n && missing > (await unitsRefunded(tx, intent)))) return
  await advancePurchase(tx, intent, { fulfillmentStatus: 'COMPLETED' }, { completedAt: tx.now() })
  if (missing > 0n) return
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
