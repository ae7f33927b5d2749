import { Prisma } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import type { Total } from '../../core/page.ts'
import { countRows } from '../../records/counts/count-rows.ts'
import { COUNTED_EXACTLY } from '../../records/counts/total-of.ts'
import { countPublished } from './count-published.ts'
import { filtersOf, type ItemFilter, type PublicItemFilter, publicFiltersOf, publishedOf } from './item-filters.ts'
import { estimate, type SearchPlan } from './plan-search.ts'

const { sql } = Prisma

/** How many items of an organization match. `plan`: what `planSearch` found. */
export const countItems = async (ctx: Context, query: ItemFilter, plan: SearchPlan): Promise<number | Total> =>
  query.attribute.length > 0 || query.search
    ? (plan.total ?? counted(ctx, sql`items i`, filtersOf(ctx, query)))
    : countRows(ctx, {
        table: 'items',
        parentId: query.collection_id,
        traits: { locked: query.locked, tokenStatus: query.token_status },
      })

/** How many locked items of deployed, public collections match. */
export const countPublicItems = async (
  ctx: Context,
  query: PublicItemFilter,
  plan: SearchPlan,
): Promise<number | Total> => {
  if (query.attributes.length === 0 && query.token_ids.length === 0 && !query.owner) return countPublished(ctx, query)
  if (plan.total) return plan.total
  const filters = publicFiltersOf(query)
  return counted(ctx, sql`items i JOIN collections c ON c.id = i.collection_id`, filters, async () => {
    const among = { size: await countPublished(ctx, query), conditions: publishedOf(query) }
    return (await estimate(ctx, among, { all: filters }, { after: undefined, direction: 'desc' })).matching
  })
}

/** Exactly up to 10,000; above that what `guess` gives is the estimate. */
async function counted(
  ctx: Context,
  from: Prisma.Sql,
  filters: Prisma.Sql[],
  guess: () => Promise<number> = () => Promise.resolve(0),
): Promise<Total> {
  const [row] = await ctx.sql<{ total: bigint }>(sql`
    SELECT count(*) AS total FROM (
      SELECT 1 FROM ${from} WHERE ${Prisma.join(filters, ' AND ')} LIMIT ${COUNTED_EXACTLY + 1}) found`)
  const total = Number(row!.total)
  if (total <= COUNTED_EXACTLY) return { total, isEstimate: false }
  return { total: Math.max(Math.round(await guess()), total), isEstimate: true }
}
