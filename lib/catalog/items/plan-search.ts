import { Prisma } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import type { Total } from '../../core/page.ts'
import { countRows } from '../../records/counts/count-rows.ts'
import { COUNTED_EXACTLY } from '../../records/counts/total-of.ts'
import { countPublished } from './count-published.ts'
import {
  conditionOf,
  filtersOf,
  idsWith,
  type ItemFilter,
  type PublicItemFilter,
  ownOf,
  publicFiltersOf,
  publishedIdsWith,
  publishedOf,
  type Searched,
  searchedBy,
  searchedByPublic,
} from './item-filters.ts'

const { sql } = Prisma

/**
 * How a query that searches items is answered. `rare`: the ids that an index past row-level security gives, of what few items have. Null: items
 * are read in their order until a page is full. `total`: how many there are, where that is known already. `matching`: how many a sample suggests.
 */
export type SearchPlan = {
  rare: { searched: Searched; ids: Prisma.Sql } | null
  total: Total | null
  matching: number | null
}
const IN_ORDER: SearchPlan = { rare: null, total: null, matching: null }

/** What an index is asked for: a part of the title, and the first attributes. */
const askedOf = (all: Searched[]): Searched[] => all.slice(0, all.some((one) => 'title' in one) ? 2 : 1)

/** What a sample finds more often is surely had by more items than are counted exactly, so no index is asked. */
const SURELY_MANY = 5 * COUNTED_EXACTLY

export async function planSearch(ctx: Context, query: ItemFilter): Promise<SearchPlan> {
  const searched = searchedBy(query)
  if (searched.length === 0) return IN_ORDER
  const size = await countRows(ctx, { table: 'items', parentId: query.collection_id })
  if (size <= COUNTED_EXACTLY) return IN_ORDER
  return planOf(ctx, searched, {
    among: { size, conditions: ownOf(ctx, query) },
    others: Boolean(query.locked || query.token_status),
    filters: filtersOf(ctx, query),
    idsOf: (one, most) => idsWith(one, query, most),
  })
}

/** The same for a query of published items. */
export async function planPublicSearch(ctx: Context, query: PublicItemFilter): Promise<SearchPlan> {
  const searched = searchedByPublic(query)
  if (searched.length === 0) return IN_ORDER
  const size = await countPublished(ctx, query)
  if (size <= COUNTED_EXACTLY) return IN_ORDER
  return planOf(ctx, searched, {
    among: { size, conditions: publishedOf(query) },
    others: query.network_ids.length > 0 || query.token_ids.length > 0 || Boolean(query.owner),
    filters: publicFiltersOf(query),
    idsOf: (one, most) => publishedIdsWith(one, query, most),
  })
}

/** Items that were counted, by what they are recognised by. */
type Among = { size: number; conditions: Prisma.Sql[] }
type Asked = {
  among: Among
  /** Something else than the organization and the collection is filtered by, too. */
  others: boolean
  filters: Prisma.Sql[]
  idsOf: (searched: Searched, most?: number) => Prisma.Sql
}

async function planOf(ctx: Context, all: Searched[], { among, others, filters, idsOf }: Asked): Promise<SearchPlan> {
  const asked = askedOf(all)
  const [matching = 0, ...each] = await estimate(ctx, among, [Prisma.join(filters, ' AND '), ...asked.map(conditionOf)])
  const total = matching >= SURELY_MANY ? { total: Math.round(matching), isEstimate: true } : null
  const maybeRare = asked.filter((_, at) => each[at]! < SURELY_MANY)
  if (total || maybeRare.length === 0) return { rare: null, total, matching }
  const counts = maybeRare.map((one) => sql`(SELECT count(*) FROM (${idsOf(one, COUNTED_EXACTLY + 1)}) found)::int`)
  const [row] = await ctx.sql<{ counts: number[] }>(sql`SELECT ARRAY[${Prisma.join(counts)}] AS counts`)
  const least = Math.min(...row!.counts)
  const isAll = all.length === 1 && !others
  if (least > COUNTED_EXACTLY)
    return {
      rare: null,
      total: isAll ? { total: Math.max(Math.round(matching), least), isEstimate: true } : null,
      matching,
    }
  const searched = maybeRare[row!.counts.indexOf(least)]!
  return {
    rare: { searched, ids: idsOf(searched) },
    total: isAll || least === 0 ? { total: least, isEstimate: false } : null,
    matching,
  }
}

/** How many pages of the table a sample has at most. */
const PAGES = 100

/** How many of some items fulfil each condition on `items i JOIN collections c`, by a sample of the table. */
export async function estimate(ctx: Context, { size, conditions }: Among, wanted: Prisma.Sql[]): Promise<number[]> {
  const counts = wanted.map((one) => sql`count(*) FILTER (WHERE ${one})::float8 / greatest(count(*), 1)`)
  // Read once: for a few collections the planner would else read the sample anew for each.
  const [row] = await ctx.sql<{ shares: number[] }>(sql`
    WITH sample AS MATERIALIZED (SELECT found.*
      FROM (SELECT least(100, 100 * ${PAGES}::float8 / greatest(relpages, 1)) AS percent FROM pg_class WHERE oid = 'items'::regclass) s,
        LATERAL (SELECT * FROM items TABLESAMPLE SYSTEM (s.percent) REPEATABLE (1)) found)
    SELECT ARRAY[${Prisma.join(counts)}] AS shares
    FROM sample i JOIN collections c ON c.id = i.collection_id
    WHERE ${Prisma.join(conditions, ' AND ')}`)
  return row!.shares.map((share) => share * size)
}
