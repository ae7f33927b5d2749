import { Prisma } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { countRows } from '../../records/counts/count-rows.ts'
import { COUNTED_EXACTLY } from '../../records/counts/total-of.ts'
import { countPublished } from './count-published.ts'
import { type ItemFilter, itemsWith, type PublicItemFilter, publishedItemsWith } from './item-filters.ts'

/**
 * Of the attributes that a query filters by, the one that the index of attributes should answer: few items have it, of many that would be
 * read otherwise. Null: items are read in their order until a page is full.
 */
export async function findRareAttribute(ctx: Context, query: ItemFilter): Promise<string | null> {
  if (query.attribute.length === 0) return null
  if ((await countRows(ctx, { table: 'items', parentId: query.collection_id })) <= COUNTED_EXACTLY) return null
  return rarestOf(ctx, query.attribute, (filter) => itemsWith(filter, query, COUNTED_EXACTLY + 1))
}

/** The same for a query of published items. */
export async function findRarePublicAttribute(ctx: Context, query: PublicItemFilter): Promise<string | null> {
  if (query.attributes.length === 0 || (await countPublished(ctx, query)) <= COUNTED_EXACTLY) return null
  return rarestOf(ctx, query.attributes, (filter) => publishedItemsWith(filter, query, COUNTED_EXACTLY + 1))
}

/** Of a value that many items have, the index is read whole: of more attributes, only the first are asked about. */
const MOST_ASKED = 5

async function rarestOf(
  ctx: Context,
  attributes: readonly string[],
  itemsOf: (filter: string) => Prisma.Sql,
): Promise<string | null> {
  const filters = [...new Set(attributes)].slice(0, MOST_ASKED)
  const counts = filters.map((filter) => Prisma.sql`(SELECT count(*) FROM (${itemsOf(filter)}) found)::int`)
  const [row] = await ctx.sql<{ counts: number[] }>(Prisma.sql`SELECT ARRAY[${Prisma.join(counts)}] AS counts`)
  const least = Math.min(...row!.counts)
  return least <= COUNTED_EXACTLY ? filters[row!.counts.indexOf(least)]! : null
}
