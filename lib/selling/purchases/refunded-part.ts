import type { PurchaseIntent } from '../../../generated/prisma/client.ts'
import { resolveAlarm } from '../../records/alarms/raise-alarm.ts'
import type { Context } from '../../platform/auth/context.ts'
import { advancePurchase } from './advance-purchase.ts'
import { lockPurchase } from './lock-purchase.ts'
import { mailRefund } from './mail-refund.ts'

type Priced = Pick<PurchaseIntent, 'quantity' | 'total'>

/**
 * The price of so many of a purchase's units, in minor units of its currency. All units of a purchase have one price.
 */
export const priceOfUnits = ({ quantity, total }: Priced, units: bigint): bigint =>
  (BigInt(total.toFixed(0)) / quantity) * units

const unitsOfPrice = ({ quantity, total }: Priced, amountMinor: bigint): bigint =>
  (amountMinor * quantity) / BigInt(total.toFixed(0))

/** How many of a purchase's units were refunded, or are being refunded by themselves. */
export async function unitsRefunded(tx: Context, intent: PurchaseIntent): Promise<bigint> {
  const payment = await tx.db.payment.findFirst({
    where: { intentId: intent.id, refundMinor: { not: null } },
    select: { refundMinor: true },
  })
  return intent.refundedQuantity + (payment?.refundMinor ? unitsOfPrice(intent, payment.refundMinor) : 0n)
}

/**
 * The price of the units that can't be delivered was refunded. The purchase stays confirmed: the others were delivered.
 */
export async function purchasePartRefunded(tx: Context, intentId: string, amountMinor: bigint): Promise<void> {
  const intent = await lockPurchase(tx, intentId)
  if (intent.status === 'REFUNDED') return
  const units = unitsOfPrice(intent, amountMinor)
  const wasStuck = intent.status === 'UNRESOLVED'
  await advancePurchase(
    tx,
    intent,
    { status: 'CONFIRMED' },
    { refundedQuantity: intent.refundedQuantity + units, ...(wasStuck && { failure: null }) },
    `${units} of ${intent.quantity} units were refunded.`,
  )
  await mailRefund(tx, intent, { amountMinor, units, toCard: true })
  await resolveAlarm(tx, 'purchase_unresolved', intentId)
}
