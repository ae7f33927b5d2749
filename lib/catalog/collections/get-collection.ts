import type { Context } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'
import { readHot } from '../../platform/http/hot/hot-read.ts'
import { publicCollection } from './public-collection.ts'
import { adminCollectionOf } from './show-collection.ts'

export async function getCollection(ctx: Context, id: string) {
  const row = await ctx.db.collection.findFirst({ where: { id } })
  if (!row) throw notFound()
  return adminCollectionOf(ctx, row)
}

/** As an anonymous reader sees it: only a deployed, public collection is found. */
export const getPublicCollection = (ctx: Context, id: string) =>
  readHot(ctx, publicCollection, { params: { collection_id: id } })
