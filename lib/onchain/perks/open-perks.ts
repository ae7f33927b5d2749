import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { openPerks as endpoint } from '../../platform/api/perks.ts'
import { buyerContext } from '../../platform/auth/authenticate.ts'
import type { Context } from '../../platform/auth/context.ts'
import { findHolding, comingWith } from './find-holding.ts'
import { heldPerkOf } from './show-held.ts'

/** Gives the content of an item's perks to whoever holds the item, but no code. Throws as `findHolding` does. */
export async function openPerks(
  anyone: Context,
  address: string,
  itemId: string,
  { proof }: Input<typeof endpoint>['body'],
): Promise<Output<typeof endpoint>> {
  const holding = await findHolding({ anyone, address, itemId, proof })
  if (holding.units === 0n) return { state: 'CONFIRMING', results: [] }
  const ctx = buyerContext(anyone, holding.organizationId)
  const perks = await ctx.db.perk.findMany({ where: comingWith(holding), orderBy: { id: 'asc' } })
  const results: Output<typeof endpoint>['results'] = []
  for (const perk of perks) results.push(await heldPerkOf(ctx, perk, holding))
  return { state: 'HELD', results }
}
