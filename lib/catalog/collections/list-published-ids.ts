import type { Context } from '../../platform/auth/context.ts'
import type { Statement } from '../../db/statements.ts'

/** The most addresses that search engines read of one sitemap. */
const MOST = 50_000

const COLLECTIONS: Statement = {
  name: 'published_collection_ids',
  text: `SELECT id FROM collections WHERE deployment_status = 'SUCCESS' AND is_public ORDER BY id DESC LIMIT ${MOST}`,
}

// Said three times, as in public-items.ts: the planner would else walk all items where most are of one collection.
const ITEMS: Statement = {
  name: 'published_item_ids',
  text: `SELECT i.id FROM collections c
      JOIN items i ON i.collection_id = c.id AND i.collection_id >= c.id AND i.collection_id <= c.id
    WHERE c.id = $1::uuid AND c.deployment_status = 'SUCCESS' AND c.is_public AND i.locked_at IS NOT NULL
    ORDER BY i.id DESC LIMIT ${MOST}`,
}

/** The ids of deployed, public collections of all organizations, newest first, at most 50,000. */
export const listPublishedCollectionIds = async (ctx: Context): Promise<string[]> =>
  (await ctx.rows<{ id: string }>(COLLECTIONS)).map(({ id }) => id)

/** The ids of a public collection's locked items, newest first, at most 50,000; none for what isn't public. */
export const listPublishedItemIds = async (ctx: Context, collectionId: string): Promise<string[]> =>
  (await ctx.rows<{ id: string }>(ITEMS, collectionId)).map(({ id }) => id)
