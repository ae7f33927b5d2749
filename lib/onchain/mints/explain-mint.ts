import type { WorkerContext } from '../../platform/auth/context.ts'
import { AppError } from '../../core/errors.ts'

/**
 * Records which hold a mint consumed that no promise explained at first. Throws `conflict` where it was explained meanwhile. The item's
 * row is locked.
 */
export async function explainMint(tx: WorkerContext, historyId: string, holdId: string): Promise<void> {
  const { count } = await tx.db.itemHistory.updateMany({ where: { id: historyId, holdId: null }, data: { holdId } })
  if (count === 0) throw new AppError('conflict', 'Another mint request was delivered by this mint.')
  await tx.db.unmatchedMint.updateMany({ where: { id: historyId }, data: { state: 'MATCHED', holdId } })
}
