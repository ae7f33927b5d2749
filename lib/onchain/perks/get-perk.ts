import { notFound } from '../../core/errors.ts'
import type { Context } from '../../platform/auth/context.ts'
import { perkOf } from './show-perk.ts'

export async function getPerk(ctx: Context, id: string) {
  const row = await ctx.db.perk.findFirst({ where: { id } })
  if (!row) throw notFound()
  return perkOf(row)
}
