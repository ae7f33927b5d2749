import type { MintRequest } from '../../generated/prisma/client.ts'

export const mintOf = (row: MintRequest) => ({
  id: row.id,
  item_id: row.itemId,
  quantity: row.quantity,
  transaction_id: row.transactionId,
  collection_id: row.collectionId,
  state: row.state,
  to_address: row.toAddress,
  tx_hash: row.txHash,
  failure: row.failure,
  created_at: row.createdAt,
  completed_at: row.completedAt,
})
