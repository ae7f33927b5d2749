import { type Hex, toEventSelector } from 'viem'
import { Prisma } from '../../../generated/prisma/client.ts'
import { inTransaction, type WorkerContext } from '../../platform/auth/context.ts'
import type { Chain } from '../../ports/chain/chain.ts'
import { decodeTokenLog } from '../../core/contracts/token-logs.ts'
import { applyVoucherFact } from './apply-voucher-fact.ts'

const CANCELLED = toEventSelector('VoucherCancelled(uint256,uint256)')

type Cancelled = {
  id: string
  organization_id: string
  token_type: string
  token_id: string
  nonce: bigint
  tx_hash: string
  block_number: bigint
  topics: Hex[]
  data: Hex
}

/**
 * Ends vouchers that were cancelled on chain in a final block, since that frees their units. On ERC-721 cancelling one
 * voids the older ones of its token too.
 */
export async function cancelVouchers(ctx: WorkerContext, chain: Chain, headNumber: bigint): Promise<void> {
  const logs = await ctx.sql<Cancelled>(Prisma.sql`
    SELECT v.id::text, v.organization_id::text, c.token_type::text, v.token_id, v.nonce, l.tx_hash, l.block_number, l.topics, l.data
    FROM chain_logs l
    JOIN vouchers v ON v.collection_id = l.collection_id AND v.state = 'PENDING'
    JOIN collections c ON c.id = v.collection_id
    WHERE l.network_id = ${chain.network.id} AND l.topics[1] = ${Prisma.raw(`'${CANCELLED}'`)}`)
  if (logs.length === 0) return
  const { finality, confirmations } = chain.network
  const finalTo = finality === 'never' ? headNumber - BigInt(confirmations) + 1n : await chain.finalized()
  const voided = new Map(
    logs.filter((log) => finalTo !== null && log.block_number <= finalTo && isVoided(log)).map((log) => [log.id, log]),
  )
  for (const { id, organization_id, tx_hash } of voided.values())
    await inTransaction(ctx, (tx) =>
      applyVoucherFact(tx, organization_id, 'cancelled', { voucherId: id, txHash: tx_hash }),
    )
}

function isVoided(voucher: Cancelled): boolean {
  const said = decodeTokenLog(voucher)
  if (said?.type !== 'VOUCHER_CANCELLED') return false
  if (voucher.token_type === 'ERC1155') return said.nonce === voucher.nonce
  return said.tokenId.toString() === voucher.token_id && voucher.nonce <= said.nonce
}
