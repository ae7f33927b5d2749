import type { z } from 'zod'
import type { Perk, PerkCode } from '../../../generated/prisma/client.ts'
import type { heldPerk } from '../../platform/api/perks.ts'
import type { Context } from '../../platform/auth/context.ts'
import type { Holding } from './find-holding.ts'
import { unsealPerk } from './perk-content.ts'
import { contentOf } from './show-perk.ts'
import { usedUnits } from './used-units.ts'

/** Codes that a holder takes at once. */
const MOST_TAKEN = 100n

/** How many codes of a perk a holder can take now. */
export async function openCodes(ctx: Context, perk: Perk, holding: Holding): Promise<number> {
  const left = BigInt(perk.codeCount - perk.givenCount)
  const unused = left > 0n ? holding.units - (await usedUnits(ctx, perk.id, holding)) : 0n
  const open = [unused, left, MOST_TAKEN].reduce((a, b) => (a < b ? a : b))
  return open > 0n ? Number(open) : 0
}

/** A perk as its holder sees it, with the codes that the address got for this item. */
export async function heldPerkOf(ctx: Context, perk: Perk, holding: Holding): Promise<z.output<typeof heldPerk>> {
  const shown = { id: perk.id, kind: perk.kind, title: perk.title, ...contentOf(perk) }
  if (perk.kind !== 'CODES') return { ...shown, codes: null, codes_open: null, codes_left: null }
  const own: PerkCode[] = await ctx.db.perkCode.findMany({
    where: { perkId: perk.id, itemId: holding.itemId, address: holding.address },
    orderBy: { unit: 'asc' },
  })
  return {
    ...shown,
    codes: own.map((row) => ({ code: unsealPerk<string>(row.id, row.code), given_at: row.givenAt! })),
    codes_open: await openCodes(ctx, perk, holding),
    codes_left: perk.codeCount - perk.givenCount,
  }
}
