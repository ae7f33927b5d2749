import type { Context } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'
import { adminCollectionOf, publicCollectionOf } from './show-collection.ts'

export async function getCollection(ctx: Context, id: string) {
  const row = await ctx.db.collection.findFirst({ where: { id } })
  if (!row) throw notFound()
  return adminCollectionOf(ctx, row)
}

/** As an anonymous reader sees it: only a deployed, public collection is found. */
export async function getPublicCollection(ctx: Context, id: string) {
  const row = await ctx.db.collection.findFirst({ where: { id } })
  if (!row) throw notFound()
  return publicCollectionOf(ctx, row)
}
