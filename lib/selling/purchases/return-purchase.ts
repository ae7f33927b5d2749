import type { PurchaseIntent } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { returnUnits } from '../../offers/listings/units.ts'

/** Returns a purchase's units to its listing or to stock, once. The purchase must hold them itself. */
export async function returnPurchase(tx: Context, intent: PurchaseIntent): Promise<void> {
  const { count } = await tx.db.purchaseIntent.updateMany({
    where: { id: intent.id, unitsState: { not: 'RETURNED' } },
    data: { unitsState: 'RETURNED' },
  })
  if (count > 0) await returnUnits(tx, intent, { from: intent.unitsState === 'OPEN' ? 'open' : 'confirmed' })
}
