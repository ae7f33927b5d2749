import type { HolderType } from '../../generated/prisma/client.ts'
import { type Context, inTransaction } from '../platform/auth/context.ts'
import { AppError } from '../core/errors.ts'
import { newId } from '../core/id.ts'
import { isSoldOut } from '../db/errors.ts'

export type Holder = { type: HolderType; id: string }
export type Units = { collectionId: string; itemId: string; quantity: bigint }

export const soldOut = () => new AppError('sold_out', 'Not enough units of this item are left.')

/** Sets units of a locked item aside for one holder. The database refuses what isn't there: 409 sold_out. */
export async function holdUnits(ctx: Context, holder: Holder, units: Units): Promise<{ holdId: string }> {
  const holdId = newId()
  try {
    await inTransaction(ctx, (tx) =>
      tx.db.hold.create({
        data: {
          id: holdId,
          organizationId: ctx.organizationId,
          holderType: holder.type,
          holderId: holder.id,
          ...units,
        },
      }),
    )
  } catch (error) {
    if (isSoldOut(error)) throw soldOut()
    throw error
  }
  return { holdId }
}
