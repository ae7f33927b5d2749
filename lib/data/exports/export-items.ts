import { Prisma } from '../../../generated/prisma/client.ts'
import type { Input } from '../../platform/api/endpoint.ts'
import type { exportItems as endpoint } from '../../platform/api/exports.ts'
import type { Context } from '../../platform/auth/context.ts'
import { filtersOf } from '../../catalog/items/item-filters.ts'
import { type Attributes, type ItemRow, tokenStatusOf, withCollection } from '../../catalog/items/show-item.ts'
import { csvByPages, ROWS_PER_PAGE } from './by-pages.ts'
import type { Cell } from './csv.ts'

const FIXED_COLUMNS = [
  'id',
  'collection_id',
  'collection',
  'title',
  'description',
  'image_url',
  'token_id',
  'token_status',
  'locked',
  'max_supply',
  'minted',
  'held',
  'burned',
  'created_at',
]
const OWN_COLUMNS = ['title', 'description', 'image_url']

/** Items with all their attributes as CSV, oldest first. */
export async function* exportItems(ctx: Context, query: Input<typeof endpoint>['query']): AsyncGenerator<string> {
  const filters = [
    ...filtersOf(ctx, query),
    ...(query.from ? [Prisma.sql`i.created_at >= ${query.from.toISOString()}::timestamptz`] : []),
    ...(query.to ? [Prisma.sql`i.created_at <= ${query.to.toISOString()}::timestamptz`] : []),
  ]
  const names = await attributeNames(ctx, filters)
  yield* csvByPages([...FIXED_COLUMNS, ...names.map((name) => `attributes.${name}`)], {
    read: (after) => rowsAfter(ctx, filters, after),
    key: ({ id }) => id,
    show: (row) => cellsOf(row, names),
  })
}

async function attributeNames(ctx: Context, filters: Prisma.Sql[]): Promise<string[]> {
  const rows = await ctx.sql<{ name: string }>(
    Prisma.sql`SELECT DISTINCT jsonb_object_keys(i.attributes) AS name FROM items i WHERE ${Prisma.join(filters, ' AND ')} ORDER BY name`,
  )
  return rows.map(({ name }) => name).filter((name) => !OWN_COLUMNS.includes(name))
}

async function rowsAfter(ctx: Context, filters: Prisma.Sql[], after: string | null): Promise<ItemRow[]> {
  const start = after === null ? [] : [Prisma.sql`i.id > ${after}::uuid`]
  const ids = await ctx.sql<{ id: string }>(
    Prisma.sql`SELECT i.id FROM items i WHERE ${Prisma.join([...filters, ...start], ' AND ')} ORDER BY i.id LIMIT ${ROWS_PER_PAGE}`,
  )
  return ctx.db.item.findMany({
    where: { id: { in: ids.map(({ id }) => id) } },
    orderBy: { id: 'asc' },
    ...withCollection,
  })
}

function cellsOf(row: ItemRow, names: readonly string[]): Cell[] {
  const attributes = row.attributes as Attributes
  const cell = (name: string): Cell => {
    const value = attributes[name]
    return typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as Cell)
  }
  const { id, collectionId, collection, tokenId, lockedAt, maxSupply, minted, held, burned, createdAt } = row
  return [
    id,
    collectionId,
    collection.name,
    ...OWN_COLUMNS.map(cell),
    tokenId,
    tokenStatusOf(row),
    lockedAt !== null,
    maxSupply,
    minted,
    held,
    burned,
    createdAt,
    ...names.map(cell),
  ]
}
