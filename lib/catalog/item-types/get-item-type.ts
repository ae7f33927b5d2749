import type { Context } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'
import { itemTypeOf } from './show-item-type.ts'

export async function getItemType(ctx: Context, id: string) {
  const row = await ctx.db.itemType.findFirst({ where: { id } })
  if (!row) throw notFound()
  return itemTypeOf(ctx, row)
}
