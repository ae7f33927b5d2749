import { Prisma } from '../../../generated/prisma/client.ts'
import type { Input } from '../../platform/api/endpoint.ts'
import type { listItems as adminList, listPublicItems as publicList } from '../../platform/api/items.ts'
import type { Context } from '../../platform/auth/context.ts'
import { paginate } from '../../core/page.ts'
import { readHot } from '../../platform/http/hot/hot-read.ts'
import { countItems, countPublicItems } from './count-items.ts'
import { findAdminItems } from './find-admin-items.ts'
import { publicFiltersOf } from './item-filters.ts'
import { pageOf } from './page-of-items.ts'
import { planPublicSearch, planSearch } from './plan-search.ts'
import { publicItems } from './public-items.ts'
import { adminItemOf, type AdminItemRow, type ItemRow, publicItemOf, withCollection } from './show-item.ts'

const { sql } = Prisma

export async function listItems(ctx: Context, query: Input<typeof adminList>['query']) {
  const plan = await planSearch(ctx, query)
  const total = countItems(ctx, query, plan)
  return paginate(query, {
    key: (row: AdminItemRow) => row.id,
    find: (range) => findAdminItems(ctx, query, range, plan, total),
    count: () => total,
    show: (row) => adminItemOf(row, ctx.ports.addresses.origin),
  })
}

/** Locked items of deployed, public collections, of all organizations. */
export async function listPublicItems(ctx: Context, query: Input<typeof publicList>['query']) {
  const read = publicItems.find(({ keyOf }) => keyOf({ query }))
  if (read) return readHot(ctx, read, { query })
  const plan = await planPublicSearch(ctx, query)
  return paginate(query, {
    key: (row: ItemRow) => row.id,
    find: async (range) => {
      if (plan.total?.total === 0) return []
      const page = pageOf(
        sql`JOIN collections c ON c.id = i.collection_id`,
        publicFiltersOf(query, plan.rare?.searched),
        range,
        plan.rare,
      )
      return rowsOf(ctx, sql`SELECT i.id ${page}`)
    },
    count: () => countPublicItems(ctx, query, plan),
    show: (row) => publicItemOf(row, ctx.ports.addresses.origin),
  })
}

/** Rows in the order in which a statement selects their ids. */
async function rowsOf(ctx: Context, ids: Prisma.Sql): Promise<ItemRow[]> {
  const order = (await ctx.sql<{ id: string }>(ids)).map((row) => row.id)
  const rows = new Map(
    (await ctx.db.item.findMany({ where: { id: { in: order } }, ...withCollection })).map((row) => [row.id, row]),
  )
  return order.flatMap((id) => rows.get(id) ?? [])
}
