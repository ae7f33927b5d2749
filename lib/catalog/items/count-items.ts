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
    ? (plan.total ?? counted(ctx, sql`items i`, filtersOf(ctx, query, plan.rare?.searched), plan))
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
): Promise<number | Total> =>
  query.attributes.length > 0 || query.token_ids.length > 0 || query.owner
    ? (plan.total ??
      counted(
        ctx,
        sql`items i JOIN collections c ON c.id = i.collection_id`,
        publicFiltersOf(query, plan.rare?.searched),
        plan,
        async (where) => {
          const among = { size: await countPublished(ctx, query), conditions: publishedOf(query) }
          return (await estimate(ctx, among, [where]))[0]!
        },
      ))
    : countPublished(ctx, query)

/** Exactly up to 10,000; above that `matching` of the plan, or what `guess` gives, is the estimate. */
async function counted(
  ctx: Context,
  from: Prisma.Sql,
  filters: Prisma.Sql[],
  { rare, matching }: SearchPlan,
  guess: (where: Prisma.Sql) => Promise<number> = () => Promise.resolve(0),
): Promise<Total> {
  const where = Prisma.join([...filters, ...(rare ? [sql`i.id = ANY (ARRAY(${rare.ids}))`] : [])], ' AND ')
  const [row] = await ctx.sql<{ total: bigint }>(
    sql`SELECT count(*) AS total FROM (SELECT 1 FROM ${from} WHERE ${where} LIMIT ${COUNTED_EXACTLY + 1}) found`,
  )
  const total = Number(row!.total)
  if (total <= COUNTED_EXACTLY) return { total, isEstimate: false }
  return { total: Math.max(Math.round(matching ?? (await guess(where))), total), isEstimate: true }
}
