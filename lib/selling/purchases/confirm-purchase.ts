import type { PurchaseIntent } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { confirmUnits } from '../../offers/listings/units.ts'
import { recordEvent } from '../../messaging/webhooks/record-event.ts'
import { advancePurchase } from './advance-purchase.ts'
import { mailReceipt } from './mail-receipt.ts'
import { purchaseEventOf } from './purchase-event.ts'

/**
 * Confirms a purchase that is paid, or free and granted: its units are sold, integrators are told, and whoever paid
 * gets a receipt. null, and nothing is changed, when its buyer would have more than `max_per_user`. `limited` false:
 * the chain has decided already.
 */
export async function confirmPurchase(
  tx: Context,
  intent: PurchaseIntent,
  { limited }: { limited: boolean } = { limited: true },
): Promise<PurchaseIntent | null> {
  const isOpen = intent.unitsState === 'OPEN'
  if (isOpen && !(await confirmUnits(tx, intent, { limited }))) return null
  const confirmed = await advancePurchase(
    tx,
    intent,
    { status: 'CONFIRMED' },
    { confirmedAt: tx.now(), failure: null, ...(isOpen && { unitsState: 'CONFIRMED' as const }) },
  )
  const first = await recordEvent(tx, 'purchase.confirmed', intent.id, purchaseEventOf(confirmed))
  if (first) await mailReceipt(tx, confirmed)
  return confirmed
}
