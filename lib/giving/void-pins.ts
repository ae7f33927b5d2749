import type { Context } from '../platform/auth/context.ts'

/** A claim's PIN that is still out there stops working. */
export async function voidPins(tx: Context, claimId: string): Promise<void> {
  await tx.db.pin.updateMany({ where: { claimId, state: 'OPEN' }, data: { state: 'VOID' } })
}
