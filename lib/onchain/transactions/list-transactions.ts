import type { Transaction } from '../../../generated/prisma/client.ts'
import type { Input } from '../../platform/api/endpoint.ts'
import type { listTransactions as endpoint } from '../../platform/api/transactions.ts'
import type { Context } from '../../platform/auth/context.ts'
import { byId, paginate } from '../../core/page.ts'
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
    key: (row: Transaction) => row.id,
    find: (range) => {
      const { where: after, ...rest } = byId(range)
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
