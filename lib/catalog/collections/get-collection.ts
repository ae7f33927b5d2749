import type { Context } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'
import { readHot } from '../../platform/http/hot/hot-read.ts'
import { findCollections } from './find-collections.ts'
import { publicCollection } from './public-collection.ts'

export async function getCollection(ctx: Context, id: string) {
  const found = (await findCollections(ctx, [id])).get(id)
  if (!found) throw notFound()
  return found
}

/** As an anonymous reader sees it: only a deployed, public collection is found. */
export const getPublicCollection = (ctx: Context, id: string) =>
  readHot(ctx, publicCollection, { params: { collection_id: id } })
