import { Prisma, type HoldState } from '../../generated/prisma/client.ts'
import type { AnyContext, Context, SystemContext } from '../platform/auth/context.ts'
import { AppError } from '../core/errors.ts'
import { runIn } from '../db/organization-transaction.ts'
import { assertNext, stateTable } from '../records/audit/advance-rows.ts'
import { passHoldsCall } from './hold-many.ts'
import type { Holder } from './hold-units.ts'
import { lockItemRows, lockItemsOfHolder } from './lock-item-rows.ts'

/**
 * The states of a hold. A reorg moves a consumed or excepted one back; an excepted one may still be consumed; a
 * released one is final.
 */
const HOLD = stateTable<HoldState>('hold', 'hold.advanced', {
  HELD: ['CONSUMED', 'RELEASED', 'EXCEPTION'],
  CONSUMED: ['HELD'],
  EXCEPTION: ['HELD', 'CONSUMED', 'RELEASED'],
  RELEASED: [],
})

/**
 * Moves holds from one state to the next, and returns the ids of those that were in `from`. The caller has locked their
 * items.
 */
export async function advanceHolds(
  ctx: AnyContext,
  ids: readonly string[],
  from: HoldState,
  to: HoldState,
): Promise<string[]> {
  assertNext(HOLD, from, to)
  if (ids.length === 0) return []
  const moved = await ctx.db.hold.updateManyAndReturn({
    where: { id: { in: [...ids] }, state: from },
    data: { state: to },
    select: { id: true },
  })
  return moved.map(({ id }) => id)
}

/**
 * Runs `work` with the stock rule switched off, to record what the chain says even where it breaks the rule. For the
 * indexer.
 */
export async function asChainFact<T>(tx: SystemContext, work: () => Promise<T>): Promise<T> {
  await tx.sql(Prisma.sql`SELECT set_config('vitrine.chain_facts', 'on', true)`)
  const done = await work()
  await tx.sql(Prisma.sql`SELECT set_config('vitrine.chain_facts', 'off', true)`)
  return done
}

export type PassedHold = { from: Holder; orMinted?: boolean }

/**
 * Hands what one holder holds of an item to another: a redeemed claim's units to its mint request, say. They are never
 * free in between.
 */
export async function passHold(
  tx: Context,
  { from, orMinted = false }: PassedHold,
  to: Holder,
  itemId: string,
): Promise<void> {
  await lockItemRows(tx, [itemId])
  const pass = { from: from.type, to: to.type, orMinted }
  const [passed] = await runIn(tx)(passHoldsCall(pass, [{ fromId: from.id, toId: to.id, itemId }], tx.now()))
  if (passed!.length === 0) throw new AppError('conflict', 'The units are not held any more.')
}

/**
 * Hands everything a holder has back to the one it came from, and with it what another's mint turned to EXCEPTION: that
 * ends with its new holder. Returns the states of the holds that changed hands.
 */
export async function returnHolds(tx: Context, from: Holder, to: Holder): Promise<HoldState[]> {
  await lockItemsOfHolder(tx, from)
  const returned = await tx.db.hold.updateManyAndReturn({
    where: { holderType: from.type, holderId: from.id, state: { in: ['HELD', 'EXCEPTION'] } },
    data: { holderType: to.type, holderId: to.id },
    select: { state: true },
  })
  return returned.map(({ state }) => state)
}

/** Changes how many units a holder holds. false: it holds fewer than `change` takes. */
export async function resizeHold(tx: Context, holder: Holder, change: bigint): Promise<boolean> {
  await lockItemsOfHolder(tx, holder)
  const { count } = await tx.db.hold.updateMany({
    where: {
      holderType: holder.type,
      holderId: holder.id,
      state: 'HELD',
      ...(change < 0n && { quantity: { gte: -change } }),
    },
    data: { quantity: { increment: change } },
  })
  return count > 0
}

/**
 * Gives up everything a holder still holds. Units that another's mint took are given up as well: they aren't restored
 * to an ended holder.
 */
export async function releaseHolds(tx: Context, holder: Holder): Promise<void> {
  await lockItemsOfHolder(tx, holder)
  await tx.db.hold.updateMany({
    where: { holderType: holder.type, holderId: holder.id, state: { in: ['HELD', 'EXCEPTION'] } },
    data: { state: 'RELEASED' },
  })
}

/**
 * Gives up what is held for arrivals that a reorg undid: they are held again when they come again. For the indexer,
 * with the items locked.
 */
export async function releaseArrivals(tx: SystemContext, arrivalIds: readonly string[]): Promise<void> {
  if (arrivalIds.length === 0) return
  await tx.db.hold.updateMany({
    where: { holderType: 'ARRIVAL', holderId: { in: [...arrivalIds] }, state: { in: ['HELD', 'EXCEPTION'] } },
    data: { state: 'RELEASED' },
  })
}
