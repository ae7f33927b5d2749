import type { Prisma, Transaction } from '../../../generated/prisma/client.ts'
import { columns, type RowOf } from '../../db/columns.ts'

/** A mint request with the type of its transaction. */
export const withCarrier = {
  include: { transaction: { select: { txType: true } } },
} as const satisfies Prisma.MintRequestDefaultArgs
/** The fields of a mint request that are shown. */
export const MINT_COLUMNS = columns('m', 'MintRequest', [
  'id',
  'itemId',
  'quantity',
  'transactionId',
  'collectionId',
  'state',
  'toAddress',
  'txHash',
  'failure',
  'createdAt',
  'completedAt',
])
export type MintRow = RowOf<typeof MINT_COLUMNS> & { transaction: Pick<Transaction, 'txType'> }

export const mintOf = (row: MintRow) => ({
  id: row.id,
  item_id: row.itemId,
  quantity: row.quantity,
  tx_type: row.transaction.txType === 'TRANSFER_TOKEN' ? ('TRANSFER_TOKEN' as const) : ('ADMIN_MINT' as const),
  transaction_id: row.transactionId,
  collection_id: row.collectionId,
  state: row.state,
  to_address: row.toAddress,
  tx_hash: row.txHash,
  failure: row.failure,
  created_at: row.createdAt,
  completed_at: row.completedAt,
})
