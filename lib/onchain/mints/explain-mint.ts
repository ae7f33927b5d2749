import type { SystemContext } from '../../platform/auth/context.ts'
import { AppError } from '../../core/errors.ts'
import { advanceHolds, asChainFact } from '../../stock/advance-hold.ts'

/**
 * Consumes the hold that a mint was for which no promise explained at first, and records it. Throws `conflict` where it
 * was explained meanwhile. The item's row is locked.
 */
export async function explainMint(tx: SystemContext, historyId: string, holdId: string): Promise<void> {
  await asChainFact(tx, async () => {
    await advanceHolds(tx, [holdId], 'EXCEPTION', 'CONSUMED')
    await advanceHolds(tx, [holdId], 'HELD', 'CONSUMED')
  })
  const { count } = await tx.db.itemHistory.updateMany({ where: { id: historyId, holdId: null }, data: { holdId } })
  if (count === 0) throw new AppError('conflict', 'Another mint request was delivered by this mint.')
  await tx.db.unmatchedMint.updateMany({ where: { id: historyId }, data: { state: 'MATCHED', holdId } })
}
