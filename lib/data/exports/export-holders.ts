import { Prisma } from '../../../generated/prisma/client.ts'
import type { Input } from '../../platform/api/endpoint.ts'
import type { exportHolders as endpoint } from '../../platform/api/exports.ts'
import type { Context } from '../../platform/auth/context.ts'
import { csvByPages, ROWS_PER_PAGE } from './by-pages.ts'

type Holder = {
  address: string
  quantity: string
  item_id: string
  token_id: string | null
  title: string | null
  collection_id: string
  collection: string
  contract: string | null
  network_id: number | null
}

const COLUMNS = [
  'address',
  'quantity',
  'item_id',
  'token_id',
  'title',
  'collection_id',
  'collection',
  'contract',
  'network_id',
] as const

/** The current owners of each item with their quantities, as CSV. */
export async function* exportHolders(ctx: Context, query: Input<typeof endpoint>['query']): AsyncGenerator<string> {
  const { collection_id, item_id, address } = query
  yield* csvByPages<Holder>(COLUMNS, {
    read: (after) => {
      const [item, holder] = after?.split(' ') ?? []
      const last = item === undefined || holder === undefined ? null : { item, holder }
      return ctx.sql<Holder>(
        collection_id && !item_id && !address
          ? ofCollection(ctx.organizationId, collection_id, last)
          : ofOwners(ctx.organizationId, query, last),
      )
    },
    key: (row) => `${row.item_id} ${row.address}`,
    show: (row) => COLUMNS.map((name) => row[name]),
  })
}

/** The last row of the page before; null for the first page. */
type Last = { item: string; holder: string } | null

const { sql } = Prisma
const SHOWN = sql`o.address, o.quantity::text AS quantity, o.item_id::text AS item_id, i.token_id,
  i.attributes ->> 'title' AS title,
  c.id::text AS collection_id, c.name AS collection, c.contract_address AS contract, c.network_id`

/** A page in the order of the owners' own index, or in that of an address. */
function ofOwners(
  organizationId: string,
  { collection_id, item_id, address }: Input<typeof endpoint>['query'],
  last: Last,
): Prisma.Sql {
  const filters = [
    sql`o.organization_id = ${organizationId}::uuid AND o.quantity > 0`,
    ...(collection_id ? [sql`i.collection_id = ${collection_id}::uuid`] : []),
    ...(item_id ? [sql`o.item_id = ${item_id}::uuid`] : []),
    ...(address ? [sql`o.address = ${address}`] : []),
    ...(last ? [sql`(o.item_id, o.address) > (${last.item}::uuid, ${last.holder})`] : []),
  ]
  return sql`SELECT ${SHOWN} FROM item_owners o JOIN items i ON i.id = o.item_id
      JOIN collections c ON c.id = i.collection_id
    WHERE ${Prisma.join(filters, ' AND ')} ORDER BY o.item_id, o.address LIMIT ${ROWS_PER_PAGE}`
}

/**
 * A page of a collection: the other owners of the last item, then those of its next items. The items are walked from
 * the last one on: joined as a whole, each page would read the collection from its beginning. OFFSET 0 keeps the
 * planner from joining it so.
 */
function ofCollection(organizationId: string, collectionId: string, last: Last): Prisma.Sql {
  const owners = sql`SELECT o.item_id, o.address, o.quantity FROM item_owners o
    WHERE o.organization_id = ${organizationId}::uuid AND o.quantity > 0`
  const others = last
    ? sql`(${owners} AND o.item_id = ${last.item}::uuid AND o.address > ${last.holder}
      ORDER BY o.address LIMIT ${ROWS_PER_PAGE}) UNION ALL`
    : Prisma.empty
  return sql`
    WITH page AS (
      ${others}
      (SELECT h.item_id, h.address, h.quantity
        FROM (SELECT i.id FROM items i
            WHERE i.organization_id = ${organizationId}::uuid AND i.collection_id = ${collectionId}::uuid
            ${last ? sql`AND i.id > ${last.item}::uuid` : Prisma.empty} ORDER BY i.id OFFSET 0) next
          CROSS JOIN LATERAL (${owners} AND o.item_id = next.id OFFSET 0) h
        ORDER BY next.id, h.address LIMIT ${ROWS_PER_PAGE}))
    SELECT ${SHOWN} FROM (SELECT * FROM page ORDER BY item_id, address LIMIT ${ROWS_PER_PAGE}) o
      JOIN items i ON i.id = o.item_id JOIN collections c ON c.id = i.collection_id
    ORDER BY o.item_id, o.address`
}
