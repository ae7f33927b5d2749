import type { Transaction } from '../../../generated/prisma/client.ts'
import type { Output } from '../../platform/api/endpoint.ts'
import type { getTransaction as endpoint } from '../../platform/api/transactions.ts'
import type { Context } from '../../platform/auth/context.ts'

/** The explorer's page of a transaction's hash, where its network has one. */
export function explorerUrlOf(
  ctx: Context,
  { networkId, txHash }: Pick<Transaction, 'networkId' | 'txHash'>,
): string | null {
  const explorer = ctx.ports.chains.get(networkId)?.network.explorerUrl
  return explorer && txHash ? `${explorer}/tx/${txHash}` : null
}

export const transactionOf = (ctx: Context, row: Transaction): Output<typeof endpoint> => ({
  id: row.id,
  collection_id: row.collectionId,
  network_id: row.networkId,
  tx_type: row.txType,
  state: row.state,
  on_chain_status: row.onChainStatus,
  tx_hash: row.txHash,
  operator: row.operator,
  nonce: row.nonce,
  block_number: row.blockNumber,
  failure: row.failure,
  mint_requests: row.mintCount,
  gas_used: row.gasUsed,
  gas_cost_wei: row.gasCostWei === null ? null : BigInt(row.gasCostWei.toFixed()),
  explorer_url: explorerUrlOf(ctx, row),
  cancel_requested_at: row.cancelRequestedAt,
  created_at: row.createdAt,
  submitted_at: row.submittedAt,
  completed_at: row.completedAt,
})
