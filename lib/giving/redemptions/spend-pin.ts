import type { Pin } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { runIn } from '../../db/organization-transaction.ts'
import { type Call, call, type Statement } from '../../db/statements.ts'
import { pinExpired } from './judge-pin.ts'

const CHANGE: Statement = {
  name: 'change_pins',
  text: `UPDATE pins p SET state = c.state::"PinState", wrong_tries = coalesce(c.wrong_tries, p.wrong_tries)
    FROM unnest($1::uuid[], $2::text[], $3::int[]) AS c(id, state, wrong_tries)
    WHERE p.id = c.id AND p.state = 'OPEN' RETURNING p.id`,
}

/** The statement that writes what open PINs have become. */
export const pinsCall = (pins: readonly (Pick<Pin, 'id' | 'state'> & { wrongTries?: number })[]): Call =>
  call(
    CHANGE,
    pins.map(({ id }) => id),
    pins.map(({ state }) => state),
    pins.map(({ wrongTries = null }) => wrongTries),
  )

/**
 * Uses up a PIN that was judged right. Call it with the claim locked. Throws `pin_expired` where it was used up or
 * became void meanwhile.
 */
export async function spendPin(tx: Context, id: string): Promise<void> {
  const [spent] = await runIn(tx)(pinsCall([{ id, state: 'USED' }]))
  if (spent!.length === 0) throw pinExpired()
}
