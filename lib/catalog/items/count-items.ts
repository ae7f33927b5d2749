import { Prisma } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import type { Statement } from '../../db/statements.ts'
import type { Total } from '../../core/page.ts'
import { countRows } from '../../records/counts/count-rows.ts'
import { totalOf } from '../../records/counts/total-of.ts'
import { filtersOf, type ItemFilter, type PublicItemFilter, publicFiltersOf } from './item-filters.ts'

const { sql } = Prisma

/** How many items of an organization match. */
export const countItems = (ctx: Context, query: ItemFilter): Promise<number | Total> =>
  query.attribute.length > 0 || query.search
    ? sampled(ctx, sql`items i`, filtersOf(ctx, query))
    : countRows(ctx, {
        table: 'items',
        parentId: query.collection_id,
        traits: { locked: query.locked, tokenStatus: query.token_status },
      })

const COUNT_PUBLISHED: Statement = {
  name: 'count_published_items',
  text: `SELECT coalesce(sum(r.amount), 0)::bigint AS total
    FROM collections c JOIN row_counts r ON r.table_name = 'items' AND r.organization_id = c.organization_id AND r.parent_id = c.id
    WHERE r.traits[1] = 'true' AND c.deployment_status = 'SUCCESS' AND c.is_public AND ($1::uuid IS NULL OR c.organization_id = $1::uuid)
      AND ($2::uuid[] IS NULL OR c.id = ANY ($2::uuid[])) AND ($3::int[] IS NULL OR c.network_id = ANY ($3::int[]))`,
}

/** How many locked items of deployed, public collections match. */
export async function countPublicItems(ctx: Context, query: PublicItemFilter): Promise<number | Total> {
  if (query.attributes.length > 0 || query.token_ids.length > 0 || query.owner)
    return sampled(ctx, sql`items i JOIN collections c ON c.id = i.collection_id`, publicFiltersOf(query))
  const [row] = await ctx.rows<{ total: bigint }>(
    COUNT_PUBLISHED,
    query.organization_id || null,
    query.collection_ids.length > 0 ? query.collection_ids : null,
    query.network_ids.length > 0 ? query.network_ids : null,
  )
  return Number(row!.total)
}

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
