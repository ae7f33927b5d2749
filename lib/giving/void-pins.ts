import type { Context } from '../platform/auth/context.ts'

/** Makes a claim's open PIN stop working. */
export async function voidPins(tx: Context, claimId: string): Promise<void> {
  await tx.db.pin.updateMany({ where: { claimId, state: 'OPEN' }, data: { state: 'VOID' } })
}
