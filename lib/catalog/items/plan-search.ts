import { Prisma } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import type { Total } from '../../core/page.ts'
import type { Range } from '../../core/paginate.ts'
import { countRows } from '../../records/counts/count-rows.ts'
import { COUNTED_EXACTLY } from '../../records/counts/total-of.ts'
import { countPublished } from './count-published.ts'
import {
  filtersOf,
  foundItems,
  foundPublished,
  haveAttributes,
  isTitled,
  type ItemFilter,
  type PublicItemFilter,
  ownOf,
  publicFiltersOf,
  publishedOf,
  searchedBy,
  searchedByPublic,
} from './item-filters.ts'
import { orderOf } from './page-of-items.ts'

const { sql } = Prisma

/**
 * How a query that searches items is answered. `readIds` gives the ids of its page in order, by indexes past row-level
 * security; null: items are read in their order until the page is full. `total`: how many there are, where that is
 * known already. `found`: the ids of all, where they are few.
 */
export type SearchPlan = { readIds: (() => Promise<string[]>) | null; total: Total | null; found: Prisma.Sql | null }
const IN_ORDER: SearchPlan = { readIds: null, total: null, found: null }
const NOTHING: SearchPlan = { readIds: () => Promise.resolve([]), total: { total: 0, isEstimate: false }, found: null }

/** If a sample estimates more matches than this, there are more than are counted exactly, and no index is asked. */
const SURELY_MANY = 5 * COUNTED_EXACTLY
/** The bound where the matches lie on at least `SPREAD_PAGES` pages of the sample: such an estimate is surer. */
const SURELY_MANY_SPREAD = 1.8 * COUNTED_EXACTLY
const SPREAD_PAGES = 30

export async function planSearch(ctx: Context, query: ItemFilter, range: Range): Promise<SearchPlan> {
  if (searchedBy(query).length === 0) return IN_ORDER
  const size = await countRows(ctx, { table: 'items', parentId: query.collection_id })
  if (size <= COUNTED_EXACTLY) return IN_ORDER
  const among = { size, conditions: ownOf(ctx, query) }
  const { search, attribute } = query
  const parts =
    search && attribute.length > 0 ? { title: [isTitled(search)], attributes: haveAttributes(attribute) } : null
  return planOf(ctx, range, among, { all: filtersOf(ctx, query), parts }, (most, { title, attributes }) =>
    foundItems(query, parts ? (title < attributes ? 'title' : 'attributes') : search ? 'title' : 'attributes', most),
  )
}

/** Plans the search of published items for a query. */
export async function planPublicSearch(ctx: Context, query: PublicItemFilter, range: Range): Promise<SearchPlan> {
  if (searchedByPublic(query).length === 0) return IN_ORDER
  const size = await countPublished(ctx, query)
  if (size === 0) return NOTHING
  // Few items of some network aren't found by walking those of all.
  if (size <= COUNTED_EXACTLY && (query.organization_id || query.collection_ids.length > 0)) return IN_ORDER
  const among = { size, conditions: publishedOf(query) }
  return planOf(ctx, range, among, { all: publicFiltersOf(query) }, (most) => foundPublished(query, most))
}

const ALL = 2_147_483_647

/** All filters; `parts`: those of a title and of attributes, where both are searched. */
type Filters = { all: Prisma.Sql[]; parts?: { title: Prisma.Sql[]; attributes: Prisma.Sql[] } | null }

async function planOf(
  ctx: Context,
  range: Range,
  among: Among,
  filters: Filters,
  foundBy: (most: number, sampled: Estimate) => Prisma.Sql,
): Promise<SearchPlan> {
  const sampled = await estimate(ctx, among, filters, range)
  const { matching, passed, pages } = sampled
  const found = (most: number) => foundBy(most, sampled)
  const estimated = (least: number) => ({ total: Math.max(Math.round(matching), least), isEstimate: true })
  // The matches lie far from where the page begins: reading all of them is less work than walking there.
  const isFar = matching < passed
  if (matching >= (pages >= SPREAD_PAGES ? SURELY_MANY_SPREAD : SURELY_MANY) && !isFar)
    return { readIds: null, total: estimated(0), found: null }
  const { total, ids } = await pageOfFound(ctx, found(isFar ? ALL : COUNTED_EXACTLY + 1), range)
  const isExact = total <= COUNTED_EXACTLY
  return {
    readIds: isExact || isFar ? idsRead(ctx, ids, found, range) : null,
    total: isExact ? { total, isEstimate: false } : estimated(total),
    found: isExact ? found(ALL) : null,
  }
}

/** The ids that were read already, and when they are asked for again, new ones. */
function idsRead(ctx: Context, ids: string[], found: (most: number) => Prisma.Sql, range: Range) {
  const read = [ids]
  return async () => read.pop() ?? (await pageOfFound(ctx, found(ALL), range)).ids
}

/** How many items were found, and the ids of a page of them in order. */
async function pageOfFound(
  ctx: Context,
  found: Prisma.Sql,
  { after, direction, take }: Range,
): Promise<{ total: number; ids: string[] }> {
  const start =
    after === undefined ? Prisma.empty : sql`WHERE id ${direction === 'asc' ? sql`>` : sql`<`} ${after}::uuid`
  const [row] = await ctx.sql<{ total: number; ids: string[] }>(sql`
    WITH found (id) AS MATERIALIZED (${found})
    SELECT (SELECT count(*)::int FROM found) AS total,
      ARRAY(SELECT id::text FROM (
        SELECT id FROM found ${start} ORDER BY id ${orderOf({ direction })} LIMIT ${take}) page) AS ids`)
  return row!
}

/** How many pages of the table a sample has at most. */
const PAGES = 100

/** Items that were counted, by what they are recognised by. */
type Among = { size: number; conditions: Prisma.Sql[] }

/** `pages`: of the sample, those with what matches. */
type Estimate = { matching: number; passed: number; pages: number; title: number; attributes: number }

/**
 * How many of some items fulfil conditions on `items i JOIN collections c`, by a sample of the table, and how many are
 * passed on the way from where a page begins to the first of those.
 */
export async function estimate(
  ctx: Context,
  { size, conditions }: Among,
  { all, parts }: Filters,
  { after, direction }: Omit<Range, 'take'>,
): Promise<Estimate> {
  const isBeyond = after === undefined ? sql`true` : sql`id ${direction === 'asc' ? sql`>` : sql`<`} ${after}::uuid`
  // Read once: for a few collections the planner would else read the sample anew for each.
  const allOf = (filters: Prisma.Sql[] | undefined) => (filters ? sql`(${Prisma.join(filters, ' AND ')})` : sql`true`)
  const [row] = await ctx.sql<{ sampled: number } & Estimate>(sql`
    WITH sample AS MATERIALIZED (SELECT found.*
      FROM (SELECT least(100, 100 * ${PAGES}::float8 / greatest(relpages, 1)) AS percent
          FROM pg_class WHERE oid = 'items'::regclass) s,
        LATERAL (SELECT *, (ctid::text::point)[0] AS page
          FROM items TABLESAMPLE SYSTEM (s.percent) REPEATABLE (1)) found),
    among AS MATERIALIZED (
      SELECT i.id, i.page, ${allOf(all)} AS fits, ${allOf(parts?.title)} AS title,
        ${allOf(parts?.attributes)} AS attributes
      FROM sample i JOIN collections c ON c.id = i.collection_id
      WHERE ${Prisma.join(conditions, ' AND ')}),
    beyond AS (
      SELECT fits, row_number() OVER (ORDER BY id ${orderOf({ direction })}) - 1 AS passed FROM among WHERE ${isBeyond})
    SELECT count(*)::int AS sampled, count(*) FILTER (WHERE fits)::int AS matching,
      count(*) FILTER (WHERE title)::int AS title,
      count(*) FILTER (WHERE attributes)::int AS attributes, count(DISTINCT page) FILTER (WHERE fits)::int AS pages,
      (SELECT coalesce(min(passed) FILTER (WHERE fits), count(*))::int FROM beyond) AS passed
    FROM among`)
  const each = size / Math.max(row!.sampled, 1)
  const { matching, passed, pages, title, attributes } = row!
  return { matching: matching * each, passed: passed * each, pages, title: title * each, attributes: attributes * each }
}
