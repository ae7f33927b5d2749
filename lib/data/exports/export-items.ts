import { Prisma } from '../../../generated/prisma/client.ts'
import type { Input } from '../../platform/api/endpoint.ts'
import type { exportItems as endpoint } from '../../platform/api/exports.ts'
import type { Context } from '../../platform/auth/context.ts'
import { filtersOf } from '../../catalog/items/item-filters.ts'
import { type Attributes, tokenStatusOf } from '../../catalog/items/show-item.ts'
import type { Statement } from '../../db/statements.ts'
import { type Sized, limitBytes } from '../../db/limit-bytes.ts'
import { csvByPages, ROWS_PER_PAGE } from './by-pages.ts'
import { BYTE_ORDER_MARK, type Cell, csvOf } from './csv.ts'

const { sql } = Prisma

type Query = Input<typeof endpoint>['query']

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
} & Sized

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
 * Items with all their attributes as CSV, oldest first. The heading begins with the columns that every file has: which
 * others there are is asked of the database afterwards.
 */
export async function* exportItems(ctx: Context, query: Query): AsyncGenerator<string> {
  const filters = [
    ...filtersOf(ctx, query),
    ...(query.from ? [sql`i.created_at >= ${query.from.toISOString()}::timestamptz`] : []),
    ...(query.to ? [sql`i.created_at <= ${query.to.toISOString()}::timestamptz`] : []),
  ]
  yield BYTE_ORDER_MARK + csvOf([FIXED_COLUMNS]).trimEnd()
  const names = (await attributeNames(ctx, query, filters)).filter((name) => !OWN_COLUMNS.includes(name))
  yield csvOf([['', ...names.map((name) => `attributes.${name}`)]])
  yield* csvByPages<Row>(null, {
    read: (after) => rowsAfter(ctx, filters, after),
    key: ({ id }) => id,
    show: (row) => cellsOf(row, names),
    isLast: (rows) => rows.at(-1)!.isLast,
  })
}

type Used = { name: string; collectionIds: string[] }

const NAMES: Statement = {
  name: 'attribute_names',
  text: `SELECT name, array_agg(DISTINCT used.collection_id::text) AS "collectionIds" FROM (
      SELECT collection_id, value FROM collection_sums
      WHERE organization_id = $1::uuid AND kind = 'attributes' AND ($2::uuid IS NULL OR collection_id = $2::uuid)
        AND ($3::text IS NULL OR name = $3::text)
      GROUP BY collection_id, value HAVING sum(amount) > 0) used, jsonb_array_elements_text(used.value::jsonb) name
    GROUP BY name ORDER BY name`,
}

/**
 * Sorted names of the attributes of the items that match. The sums of collections know them unless there are further
 * filters.
 */
async function attributeNames(ctx: Context, query: Query, filters: Prisma.Sql[]): Promise<string[]> {
  const { collection_id, locked, ...others } = query
  const used = await ctx.rows<Used>(NAMES, ctx.organizationId, collection_id || null, locked || null)
  const names = used.map(({ name }) => name)
  const isNarrowed = Object.values(others).some((value) => (Array.isArray(value) ? value.length > 0 : Boolean(value)))
  if (!isNarrowed) return names
  const found = await namesAmong(ctx, filters, used)
  return names.filter((name) => found.has(name))
}

/** How many items are looked at in one statement. */
const NAMES_AT_ONCE = 20_000

/** The names that items have which match. What the first items lack is looked for in the collections that have it. */
async function namesAmong(ctx: Context, filters: Prisma.Sql[], used: readonly Used[]): Promise<Set<string>> {
  const { names: found, last } = await readNames(ctx, filters, null)
  if (last === null) return found
  const wanted = new Map<string, string[]>()
  for (const { name, collectionIds } of used)
    if (!found.has(name)) for (const id of collectionIds) wanted.set(id, [...(wanted.get(id) ?? []), name])
  for (const [collectionId, names] of wanted) {
    const own = [...filters, sql`i.collection_id = ${collectionId}::uuid`]
    for (let after: string | null = null; names.some((name) => !found.has(name));) {
      const page = await readNames(ctx, own, after)
      for (const name of page.names) found.add(name)
      if (page.last === null) break
      after = page.last
    }
  }
  return found
}

/** The names of the next items' attributes, and the last of these items unless there are no more. */
async function readNames(ctx: Context, filters: Prisma.Sql[], after: string | null) {
  const rows = await ctx.sql<{ name: string | null; last: string | null; many: number }>(sql`
    WITH page AS MATERIALIZED (SELECT i.id, i.attributes FROM items i
        WHERE ${pageAfter(filters, after)} ORDER BY i.id LIMIT ${NAMES_AT_ONCE})
    SELECT name, last, many FROM (SELECT max(id::text) AS last, count(*)::int AS many FROM page) p
      LEFT JOIN (SELECT DISTINCT jsonb_object_keys(attributes) AS name FROM page) n ON true`)
  const { last, many } = rows[0]!
  return { names: new Set(rows.flatMap(({ name }) => name ?? [])), last: many < NAMES_AT_ONCE ? null : last }
}

const pageAfter = (filters: Prisma.Sql[], after: string | null): Prisma.Sql =>
  Prisma.join([...filters, ...(after === null ? [] : [sql`i.id > ${after}::uuid`])], ' AND ')

function rowsAfter(ctx: Context, filters: Prisma.Sql[], after: string | null): Promise<Row[]> {
  const page = sql`
    SELECT i.id, i.collection_id, c.name AS collection, i.attributes, i.token_id, i.locked_at IS NOT NULL AS locked,
      i.max_supply, i.minted, i.minting, i.held, i.burned, i.created_at
    FROM items i JOIN collections c ON c.id = i.collection_id
    WHERE ${pageAfter(filters, after)} ORDER BY i.id LIMIT ${ROWS_PER_PAGE}`
  return ctx.sql<Row>(limitBytes(page, { json: 'attributes', key: 'id', most: ROWS_PER_PAGE }))
}

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
