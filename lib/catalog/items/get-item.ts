import type { Context } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'
import { readHot } from '../../platform/http/hot/hot-read.ts'
import { publicItem } from './public-item.ts'
import { adminItemOf, withCollection } from './show-item.ts'

export async function getItem(ctx: Context, id: string) {
  const row = await ctx.db.item.findFirst({ where: { id }, ...withCollection })
  if (!row) throw notFound()
  return adminItemOf(row, ctx.ports.addresses.origin)
}

/** As an anonymous reader sees it: only a locked item of a deployed, public collection is found. */
export const getPublicItem = (ctx: Context, id: string) => readHot(ctx, publicItem, { params: { item_id: id } })
