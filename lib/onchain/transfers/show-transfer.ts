import type { Collection, Escrow, SignedTransfer } from '../../../generated/prisma/client.ts'
import type { Output } from '../../platform/api/endpoint.ts'
import type { getTransfer as endpoint, TransferFailure } from '../../platform/api/transfers.ts'
import type { Context } from '../../platform/auth/context.ts'
import { ESCROW_SHOWN, escrowOf } from '../escrows/show-escrow.ts'
import { explorerUrlOf } from '../transactions/show-transaction.ts'

type Row = SignedTransfer & {
  collection: Pick<Collection, 'contractAddress'>
  escrow: Pick<Escrow, 'state' | 'offeredUntil' | 'failure'> | null
}

/** The rows that `transferOf` reads beside the transfer's own. */
export const TRANSFER_SHOWN = { collection: { select: { contractAddress: true } }, escrow: ESCROW_SHOWN } as const

/**
 * The fields of a transfer that anybody may see. Its signature isn't shown: while it waits, whoever had it could send
 * it.
 */
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
  escrow: row.escrow && escrowOf(row.escrow, row.state),
  created_at: row.createdAt,
  completed_at: row.completedAt,
})
