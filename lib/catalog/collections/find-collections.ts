import type { Context } from '../../platform/auth/context.ts'
import { adminCollectionsOf } from './show-collection.ts'

type AdminCollection = Awaited<ReturnType<typeof adminCollectionsOf>>[number]

/** Collections by their ids, read in one statement. Ids that aren't found are missing from the map. */
export async function findCollections(ctx: Context, ids: readonly string[]): Promise<Map<string, AdminCollection>> {
  if (ids.length === 0) return new Map()
  const rows = await ctx.db.collection.findMany({ where: { id: { in: [...new Set(ids)] } } })
  return new Map((await adminCollectionsOf(ctx, rows)).map((collection) => [collection.id, collection]))
}
