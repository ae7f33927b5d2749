import { Prisma } from '../../../generated/prisma/client.ts'
import type { Input } from '../../platform/api/endpoint.ts'
import type { exportItems as endpoint } from '../../platform/api/exports.ts'
import type { Context } from '../../platform/auth/context.ts'
import { filtersOf } from '../../catalog/items/item-filters.ts'
import { type Attributes, tokenStatusOf } from '../../catalog/items/show-item.ts'
import { csvByPages, ROWS_PER_PAGE } from './by-pages.ts'
import { type Cell, csvOf } from './csv.ts'

const { sql } = Prisma

type Row = {
  id: string
  collection_id: string
  collection: string
  attributes: Attributes
  token_id: string | null
  locked: boolean
  max_supply: bigint | null
  minted: bigint
  minting: bigint
  held: bigint
  burned: bigint
  created_at: Date
}

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

/**
 * Items with all their attributes as CSV, oldest first. The heading begins with the columns that every file has: which others there are is
 * known only when all items were looked at.
 */
export async function* exportItems(ctx: Context, query: Input<typeof endpoint>['query']): AsyncGenerator<string> {
  const filters = [
    ...filtersOf(ctx, query),
    ...(query.from ? [sql`i.created_at >= ${query.from.toISOString()}::timestamptz`] : []),
    ...(query.to ? [sql`i.created_at <= ${query.to.toISOString()}::timestamptz`] : []),
  ]
  yield csvOf([FIXED_COLUMNS]).trimEnd()
  const names = await attributeNames(ctx, filters)
  yield csvOf([['', ...names.map((name) => `attributes.${name}`)]])
  yield* csvByPages<Row>(null, {
    read: (after) => rowsAfter(ctx, filters, after),
    key: ({ id }) => id,
    show: (row) => cellsOf(row, names),
  })
}

/** How many items are looked at in one statement. */
const NAMES_AT_ONCE = 20_000

async function attributeNames(ctx: Context, filters: Prisma.Sql[]): Promise<string[]> {
  const known = new Set<string>()
  for (let after: string | null = null; ;) {
    const rows: { name: string | null; last: string; many: number }[] = await ctx.sql(sql`
      WITH page AS MATERIALIZED (SELECT i.id, i.attributes FROM items i WHERE ${pageAfter(filters, after)} ORDER BY i.id LIMIT ${NAMES_AT_ONCE})
      SELECT name, last, many FROM (SELECT max(id::text) AS last, count(*)::int AS many FROM page) p
        LEFT JOIN (SELECT DISTINCT jsonb_object_keys(attributes) AS name FROM page) n ON true`)
    for (const { name } of rows) if (name !== null) known.add(name)
    if (rows[0]!.many < NAMES_AT_ONCE) break
    after = rows[0]!.last
  }
  const [sorted] = await ctx.sql<{ names: string[] }>(
    sql`SELECT coalesce(array_agg(name ORDER BY name), '{}') AS names FROM unnest(${[...known]}::text[]) AS name`,
  )
  return sorted!.names.filter((name) => !OWN_COLUMNS.includes(name))
}

const pageAfter = (filters: Prisma.Sql[], after: string | null): Prisma.Sql =>
  Prisma.join([...filters, ...(after === null ? [] : [sql`i.id > ${after}::uuid`])], ' AND ')

const rowsAfter = (ctx: Context, filters: Prisma.Sql[], after: string | null): Promise<Row[]> =>
  ctx.sql<Row>(sql`
    SELECT i.id, i.collection_id, c.name AS collection, i.attributes, i.token_id, i.locked_at IS NOT NULL AS locked, i.max_supply, i.minted,
      i.minting, i.held, i.burned, i.created_at
    FROM items i JOIN collections c ON c.id = i.collection_id
    WHERE ${pageAfter(filters, after)} ORDER BY i.id LIMIT ${ROWS_PER_PAGE}`)

function cellsOf(row: Row, names: readonly string[]): Cell[] {
  const cell = (name: string): Cell => {
    const value = row.attributes[name]
    return typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as Cell)
  }
  return [
    row.id,
    row.collection_id,
    row.collection,
    ...OWN_COLUMNS.map(cell),
    row.token_id,
    tokenStatusOf(row),
    row.locked,
    row.max_supply,
    row.minted,
    row.held,
    row.burned,
    row.created_at,
    ...names.map(cell),
  ]
}
