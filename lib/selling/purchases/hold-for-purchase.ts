import type { Context } from '../../platform/auth/context.ts'
import { writeIn } from '../../db/organization-transaction.ts'
import { type Call, call, type Statement } from '../../db/statements.ts'
import type { ItemUnits } from '../../offers/listings/units.ts'
import { holdUnitsOfMany } from '../../stock/hold-units.ts'

const INSERT_UNITS: Statement = {
  name: 'insert_purchase_units',
  text: `INSERT INTO purchase_units (organization_id, intent_id, item_id, quantity)
    SELECT $1::uuid, u.intent_id, u.item_id, u.quantity
    FROM unnest($2::uuid[], $3::uuid[], $4::bigint[]) AS u(intent_id, item_id, quantity)`,
}

/** The statement that says which units purchases are of. */
export const unitsCall = (organizationId: string, units: readonly (ItemUnits & { intentId: string })[]): Call =>
  call(
    INSERT_UNITS,
    organizationId,
    units.map(({ intentId }) => intentId),
    units.map(({ itemId }) => itemId),
    units.map(({ quantity }) => quantity),
  )

/** Holds units that a listing gave up for a purchase that is there, in the same transaction. */
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
  const own = units.map((unit) => ({ ...unit, intentId }))
  await writeIn(tx, unitsCall(tx.organizationId, own))
  const holder = { type: 'PURCHASE' as const, id: intentId }
  await holdUnitsOfMany(
    tx,
    units.map((unit) => ({ ...unit, holder, collectionId })),
  )
}
