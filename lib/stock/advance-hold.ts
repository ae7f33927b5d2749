import type { HoldState } from '../../generated/prisma/client.ts'
import type { Context } from '../auth/context.ts'
import { AppError } from '../core/errors.ts'
import { isSoldOut } from '../db/errors.ts'
import { type Holder, soldOut } from './hold-units.ts'

/** The life of a hold. A reorg takes a consumed or excepted one back; a released one is over. */
const NEXT = {
  HELD: ['CONSUMED', 'RELEASED', 'EXCEPTION'],
  CONSUMED: ['HELD'],
  EXCEPTION: ['HELD', 'RELEASED'],
  RELEASED: [],
} as const satisfies Record<HoldState, readonly HoldState[]>

/** Moves a hold one step; two callers racing for the same step: one wins, the other gets `conflict`. */
export async function advanceHold(ctx: Context, hold: { id: string; state: HoldState }, to: HoldState): Promise<void> {
  if (!(NEXT[hold.state] as readonly HoldState[]).includes(to)) throw new AppError('conflict', `A ${hold.state} hold can't become ${to}.`)
  const { count } = await ctx.db.hold.updateMany({ where: { id: hold.id, state: hold.state }, data: { state: to } })
  if (count === 0) throw new AppError('conflict', 'The hold changed meanwhile.')
}

/** Hands what one holder holds to another (a redeemed claim's units to its mint request): the units never come free in between. */
export async function passHold(ctx: Context, from: Holder, to: Holder): Promise<void> {
  const { count } = await ctx.db.hold.updateMany({
    where: { holderType: from.type, holderId: from.id, state: 'HELD' },
    data: { holderType: to.type, holderId: to.id },
  })
  if (count === 0) throw new AppError('conflict', 'The units are not held any more.')
}

/** Gives up everything a holder still holds. */
export async function releaseHolds(ctx: Context, holder: Holder): Promise<void> {
  try {
    await ctx.db.hold.updateMany({ where: { holderType: holder.type, holderId: holder.id, state: 'HELD' }, data: { state: 'RELEASED' } })
  } catch (error) {
    if (isSoldOut(error)) throw soldOut()
    throw error
  }
}
