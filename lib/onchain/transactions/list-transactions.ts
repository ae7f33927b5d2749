import { Prisma, type Transaction } from '../../../generated/prisma/client.ts'
import type { Input } from '../../platform/api/endpoint.ts'
import type { listTransactions as endpoint } from '../../platform/api/transactions.ts'
import type { Context } from '../../platform/auth/context.ts'
import { literal, pageOfIds } from '../../db/page-of-ids.ts'
import { byId, paginate, type Range } from '../../core/paginate.ts'
import { countRows } from '../../records/counts/count-rows.ts'
import { transactionOf } from './show-transaction.ts'

export function listTransactions(ctx: Context, query: Input<typeof endpoint>['query']) {
  const where = {
    ...(query.state && { state: query.state }),
    ...(query.tx_type && { txType: query.tx_type }),
    ...(query.collection_id && { collectionId: query.collection_id }),
    ...(query.network_id != null && { networkId: query.network_id }),
  }
  return paginate(query, {
    list: ['transactions', ctx.organizationId],
    key: (row: Transaction) => row.id,
    find: async (range, total) => {
      const { where: after, ...rest } = byId(range)
      const isFiltered = query.state || query.tx_type || query.network_id != null
      if (isFiltered && (await total()) === 0) return []
      if (query.state || query.tx_type) {
        const id = { in: await idsOf(ctx, query, range) }
        return ctx.db.transaction.findMany({ where: { id }, orderBy: { id: range.direction } })
      }
      return ctx.db.transaction.findMany({ where: { AND: [where, after] }, ...rest })
    },
    count: () =>
      countRows(ctx, {
        table: 'transactions',
        parentId: query.collection_id,
        traits: { state: query.state, txType: query.tx_type, networkId: query.network_id?.toString() },
      }),
    show: (row) => transactionOf(ctx, row),
  })
}

const { sql } = Prisma

/**
 * Said three times, the planner believes that few match: it would else walk all transactions for one that isn't a mint,
 * for which there is an index.
 */
function ofType(txType: Transaction['txType']): Prisma.Sql {
  const type = literal(txType)
  return txType === 'ADMIN_MINT'
    ? sql`tx_type = ${type}`
    : sql`tx_type = ${type} AND tx_type >= ${type} AND tx_type <= ${type}`
}

/** Beside a rare type it is said so that no index is asked for it: a collection may have very many mints. */
const ofCollection = (id: string, txType: Transaction['txType'] | null | undefined): Prisma.Sql =>
  txType && txType !== 'ADMIN_MINT' ? sql`(collection_id = ${id}::uuid) IS TRUE` : sql`collection_id = ${id}::uuid`

/** Ids of transactions of a state or type, which may be rare. */
const idsOf = (ctx: Context, query: Input<typeof endpoint>['query'], range: Range): Promise<string[]> =>
  pageOfIds(
    ctx,
    'transactions',
    [
      sql`organization_id = ${ctx.organizationId}::uuid`,
      ...(query.state ? [sql`state = ${literal(query.state)}`] : []),
      ...(query.tx_type ? [ofType(query.tx_type)] : []),
      ...(query.collection_id ? [ofCollection(query.collection_id, query.tx_type)] : []),
      ...(query.network_id == null ? [] : [sql`network_id = ${query.network_id}::int`]),
    ],
    range,
  )
