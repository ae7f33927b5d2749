import { Prisma } from '../../../generated/prisma/client.ts'
import type { Input } from '../../platform/api/endpoint.ts'
import type { listItems as adminList, listPublicItems as publicList } from '../../platform/api/items.ts'
import type { Context } from '../../platform/auth/context.ts'
import { paginate, type PageQuery, type Range, type Total } from '../../core/page.ts'
import { readHot } from '../../platform/http/hot/hot-read.ts'
import { countItems, countPublicItems } from './count-items.ts'
import { findAdminItems } from './find-admin-items.ts'
import { findRareAttribute, findRarePublicAttribute } from './find-rare-attribute.ts'
import { publicFiltersOf } from './item-filters.ts'
import { publicItems } from './public-items.ts'
import { adminItemOf, type AdminItemRow, type ItemRow, publicItemOf, withCollection } from './show-item.ts'

const { sql } = Prisma

export async function listItems(ctx: Context, query: Input<typeof adminList>['query']) {
  const rare = await findRareAttribute(ctx, query)
  return paginate(query, {
    key: (row: AdminItemRow) => row.id,
    find: (range) => findAdminItems(ctx, query, range, rare),
    count: () => countItems(ctx, query, rare),
    show: (row) => adminItemOf(row, ctx.ports.addresses.origin),
  })
}

/** Locked items of deployed, public collections, of all organizations. */
export async function listPublicItems(ctx: Context, query: Input<typeof publicList>['query']) {
  const read = publicItems.find(({ keyOf }) => keyOf({ query }))
  if (read) return readHot(ctx, read, { query })
  const rare = await findRarePublicAttribute(ctx, query)
  return pageOfItems(
    ctx,
    query,
    {
      from: sql`items i JOIN collections c ON c.id = i.collection_id`,
      filters: publicFiltersOf(query, rare),
      count: () => countPublicItems(ctx, query, rare),
    },
    (row) => publicItemOf(row, ctx.ports.addresses.origin),
  )
}

/** Selects ids in one indexed statement, then loads their rows. */
const pageOfItems = <Out>(
  ctx: Context,
  query: PageQuery,
  { from, filters, count }: { from: Prisma.Sql; filters: Prisma.Sql[]; count: () => Promise<number | Total> },
  show: (row: ItemRow) => Out,
) =>
  paginate(query, {
    key: (row: ItemRow) => row.id,
    find: ({ after, direction, take }: Range) => {
      const order = Prisma.raw(direction === 'asc' ? 'ASC' : 'DESC')
      const start = after === undefined ? [] : [sql`i.id ${Prisma.raw(direction === 'asc' ? '>' : '<')} ${after}::uuid`]
      const where = Prisma.join([...filters, ...start], ' AND ')
      return rowsOf(ctx, sql`SELECT i.id FROM ${from} WHERE ${where} ORDER BY i.id ${order} LIMIT ${take}`)
    },
    count,
    show,
  })

async function rowsOf(ctx: Context, ids: Prisma.Sql): Promise<ItemRow[]> {
  const order = (await ctx.sql<{ id: string }>(ids)).map((row) => row.id)
  const rows = new Map(
    (await ctx.db.item.findMany({ where: { id: { in: order } }, ...withCollection })).map((row) => [row.id, row]),
  )
  return order.flatMap((id) => rows.get(id) ?? [])
}
