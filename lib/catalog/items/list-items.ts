import { Prisma } from '../../../generated/prisma/client.ts'
import type { Input } from '../../platform/api/endpoint.ts'
import type { listItems as adminList, listPublicItems as publicList } from '../../platform/api/items.ts'
import type { Context } from '../../platform/auth/context.ts'
import type { List } from '../../core/cursor.ts'
import type { Sorted, Total } from '../../core/page.ts'
import { paginate, type Range, rangeOf, rowsOfIds, sortedRows } from '../../core/paginate.ts'
import type { Value } from '../../db/statements.ts'
import { readHot } from '../../platform/http/hot/hot-read.ts'
import { countItems, countPublicItems } from './count-items.ts'
import { findAdminItems, readAdminItems } from './find-admin-items.ts'
import { plainPublicFiltersOf, publicFiltersOf, searchedByPublic } from './item-filters.ts'
import { orderOf, pageOfFirst, pageOf } from './page-of-items.ts'
import { planPublicSearch, planSearch, type SearchPlan } from './plan-search.ts'
import { placesOfItems } from './sort-items.ts'
import { type FlatPublicItem, PUBLIC_ITEM_COLUMNS, shownOf } from './public-item.ts'
import { PUBLIC_ITEMS, publicItems } from './public-items.ts'
import { adminItemOf, type AdminItemRow } from './show-item.ts'

const { sql } = Prisma

export async function listItems(ctx: Context, given: Input<typeof adminList>['query'] & Sorted<'NAME' | 'STATE'>) {
  const { order_by: sort, ...query } = given
  const list: List = ['items', ctx.organizationId]
  const range = rangeOf(list, given)
  const plan = await planSearch(ctx, query, sort ? { ...range, after: undefined } : range)
  const id = ({ id }: AdminItemRow) => id
  return paginate(given, {
    list,
    ...(sort
      ? sortedRows({
          id,
          read: (ids) => readAdminItems(ctx, ids),
          findPlaces: (place) => placesOfItems(ctx, query, sort, place, plan),
        })
      : {
          key: id,
          find: (page: Range, total: () => Promise<number | Total>) => findAdminItems(ctx, query, page, plan, total),
        }),
    count: () => countItems(ctx, query, plan),
    show: (row) => adminItemOf(row, ctx.ports.addresses.origin),
  })
}

/** Locked items of deployed, public collections, of all organizations. */
export async function listPublicItems(ctx: Context, query: Input<typeof publicList>['query']) {
  const read = publicItems.find(({ keyOf }) => keyOf({ query }))
  if (read) return readHot(ctx, read, { query })
  const plan = await planPublicSearch(ctx, query, rangeOf(PUBLIC_ITEMS, query))
  return paginate(query, {
    list: PUBLIC_ITEMS,
    key: (row: FlatPublicItem) => row.id,
    find: (range) => findPublicItems(ctx, query, range, plan),
    count: () => countPublicItems(ctx, query, plan),
    show: (row) => shownOf(row, ctx),
  })
}

/** Finds public items. The statement has no name, so that each is planned for its values: these decide the plan. */
function findPublicItems(
  ctx: Context,
  query: Input<typeof publicList>['query'],
  range: Range,
  { readIds }: SearchPlan,
): Promise<FlatPublicItem[]> {
  const read = (from: Prisma.Sql) => {
    const { text, values } = sql`SELECT ${Prisma.raw(PUBLIC_ITEM_COLUMNS)} ${from}`
    return ctx.rows<FlatPublicItem>({ name: '', text }, ...(values as Value[]))
  }
  const withCollection = sql`JOIN collections c ON c.id = i.collection_id`
  const order = sql`ORDER BY i.id ${orderOf(range)}`
  if (readIds)
    return rowsOfIds(readIds, (ids) =>
      read(sql`FROM items i ${withCollection} WHERE i.id = ANY (${ids}::uuid[]) ${order}`),
    )
  const searched = searchedByPublic(query)
  return read(
    searched.length === 0
      ? pageOf(withCollection, publicFiltersOf(query), range)
      : sql`FROM (SELECT i.* ${pageOfFirst(plainPublicFiltersOf(query), searched, range)}) i
          ${withCollection} ${order}`,
  )
}
