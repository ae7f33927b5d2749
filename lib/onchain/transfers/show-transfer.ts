import type { Collection, SignedTransfer } from '../../../generated/prisma/client.ts'
import type { Output } from '../../platform/api/endpoint.ts'
import type { getTransfer as endpoint, TransferFailure } from '../../platform/api/transfers.ts'
import type { Context } from '../../platform/auth/context.ts'
import { explorerUrlOf } from '../transactions/show-transaction.ts'

type Row = SignedTransfer & { collection: Pick<Collection, 'contractAddress'> }

/** What of a transfer anybody may see. Its signature isn't shown: while it waits, whoever had it could send it. */
export const transferOf = (ctx: Context, row: Row): Output<typeof endpoint> => ({
  id: row.id,
  collection_id: row.collectionId,
  item_id: row.itemId,
  network_id: row.networkId,
  contract_address: row.collection.contractAddress!,
  token_id: row.tokenId,
  quantity: row.quantity,
  from_address: row.fromAddress,
  to_address: row.toAddress,
  nonce: BigInt(row.nonce.toFixed()),
  deadline: Number(row.deadline),
  state: row.state,
  tx_hash: row.txHash,
  explorer_url: explorerUrlOf(ctx, row),
  failure: row.failure === null ? null : { code: row.failureCode as TransferFailure, message: row.failure },
  created_at: row.createdAt,
  completed_at: row.completedAt,
})
