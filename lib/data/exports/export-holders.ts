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
export async function* exportHolders(
  ctx: Context,
  { collection_id, item_id, address }: Input<typeof endpoint>['query'],
): AsyncGenerator<string> {
  const filters = [
    Prisma.sql`o.organization_id = ${ctx.organizationId}::uuid AND o.quantity > 0`,
    ...(collection_id ? [Prisma.sql`i.collection_id = ${collection_id}::uuid`] : []),
    ...(item_id ? [Prisma.sql`o.item_id = ${item_id}::uuid`] : []),
    ...(address ? [Prisma.sql`o.address = ${address}`] : []),
  ]
  yield* csvByPages<Holder>(COLUMNS, {
    read: (after) => {
      const [item, holder] = after?.split(' ') ?? []
      const start = item === undefined ? [] : [Prisma.sql`(o.item_id, o.address) > (${item}::uuid, ${holder})`]
      return ctx.sql<Holder>(Prisma.sql`
        SELECT o.address, o.quantity::text AS quantity, o.item_id::text AS item_id, i.token_id, i.attributes ->> 'title' AS title,
          c.id::text AS collection_id, c.name AS collection, c.contract_address AS contract, c.network_id
        FROM item_owners o JOIN items i ON i.id = o.item_id JOIN collections c ON c.id = i.collection_id
        WHERE ${Prisma.join([...filters, ...start], ' AND ')} ORDER BY o.item_id, o.address LIMIT ${ROWS_PER_PAGE}`)
    },
    key: (row) => `${row.item_id} ${row.address}`,
    show: (row) => COLUMNS.map((name) => row[name]),
  })
}
