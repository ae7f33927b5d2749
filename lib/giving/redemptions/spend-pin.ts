import type { Context } from '../../platform/auth/context.ts'
import { pinExpired } from './judge-pin.ts'

/** Uses up a PIN that was judged right. Call it with the claim locked. Throws `pin_expired` where it was used up or became void meanwhile. */
export async function spendPin(tx: Context, pinId: string): Promise<void> {
  const { count } = await tx.db.pin.updateMany({ where: { id: pinId, state: 'OPEN' }, data: { state: 'USED' } })
  if (count === 0) throw pinExpired()
}
