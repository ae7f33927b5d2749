import type { Context } from '../../platform/auth/context.ts'
import type { ItemUnits } from '../../offers/listings/units.ts'
import { holdUnits } from '../../stock/hold-units.ts'

/** Holds units that a listing gave up for a purchase, in the same transaction. */
export async function holdForPurchase(
  tx: Context,
  intentId: string,
  listingId: string,
  units: readonly ItemUnits[],
): Promise<void> {
  const { collectionId } = await tx.db.listing.findFirstOrThrow({
    where: { id: listingId },
    select: { collectionId: true },
  })
  await tx.db.purchaseUnit.createMany({
    data: units.map((unit) => ({ organizationId: tx.organizationId, intentId, ...unit })),
  })
  for (const unit of units) await holdUnits(tx, { type: 'PURCHASE', id: intentId }, { collectionId, ...unit })
}
