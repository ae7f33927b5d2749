import { Prisma } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import type { Total } from '../../core/page.ts'
import { countRows } from '../../records/counts/count-rows.ts'
import { totalOf } from '../../records/counts/total-of.ts'
import { countPublished } from './count-published.ts'
import { filtersOf, type ItemFilter, type PublicItemFilter, publicFiltersOf } from './item-filters.ts'

const { sql } = Prisma

/** How many items of an organization match. `rare`: what `findRareAttribute` found. */
export const countItems = (ctx: Context, query: ItemFilter, rare: string | null): Promise<number | Total> =>
  query.attribute.length > 0 || query.search
    ? sampled(ctx, sql`items i`, filtersOf(ctx, query, rare))
    : countRows(ctx, {
        table: 'items',
        parentId: query.collection_id,
        traits: { locked: query.locked, tokenStatus: query.token_status },
      })

/** How many locked items of deployed, public collections match. */
export const countPublicItems = (
  ctx: Context,
  query: PublicItemFilter,
  rare: string | null,
): Promise<number | Total> =>
  query.attributes.length > 0 || query.token_ids.length > 0 || query.owner
    ? sampled(ctx, sql`items i JOIN collections c ON c.id = i.collection_id`, publicFiltersOf(query, rare))
    : countPublished(ctx, query)

function sampled(ctx: Context, from: Prisma.Sql, filters: Prisma.Sql[]): Promise<Total> {
  const count = async (limit: Prisma.Sql, more: Prisma.Sql[] = []): Promise<number> => {
    const where = Prisma.join([...filters, ...more], ' AND ')
    const [row] = await ctx.sql<{ total: bigint }>(
      sql`SELECT count(*) AS total FROM (SELECT 1 FROM ${from} WHERE ${where} ${limit}) found`,
    )
    return Number(row!.total)
  }
  return totalOf(
    ctx,
    'items',
    (most) => count(sql`LIMIT ${most}`),
    (ids) => count(Prisma.empty, [sql`i.id = ANY (${ids}::uuid[])`]),
  )
}
