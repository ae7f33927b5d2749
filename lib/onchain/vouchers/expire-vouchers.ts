import { type Context, inTransaction, type WorkerContext } from '../../platform/auth/context.ts'
import type { Chain } from '../../ports/chain/chain.ts'
import { lockClaim } from '../../giving/read-claim.ts'
import { sweep } from '../../platform/jobs/sweep.ts'
import { endVoucher } from './advance-voucher.ts'

const BATCH = 500

/**
 * Ends vouchers that nobody can send any more: the chain's own time has passed their expiry in a block that stays, and every
 * log up to that block is in, so that a mint of the last second isn't overlooked. For the worker; answers how many ended.
 */
export async function expireVouchers(worker: WorkerContext, chain: Chain): Promise<number> {
  const indexed = await worker.db.chainCursor.findUnique({ where: { networkId: chain.network.id } })
  if (!indexed) return 0
  const final = await finalBlock(chain)
  const block = await chain.block(final < indexed.number ? final : indexed.number)
  if (!block) return 0
  const due = await worker.db.voucher.findMany({
    where: {
      networkId: chain.network.id,
      state: 'PENDING',
      expiry: { lt: BigInt(Math.floor(block.timestamp.getTime() / 1000)) },
      collection: { OR: [{ following: true }, { indexedTo: { gte: block.number } }] },
    },
    orderBy: { expiry: 'asc' },
    take: BATCH,
    select: { id: true, organizationId: true, claimId: true },
  })
  return sweep(worker, due, 'An expired voucher could not be ended.', (ctx, voucher) =>
    inTransaction(ctx, (tx) => expire(tx, voucher)),
  )
}

/** A block that no reorg undoes; where a network never says so, one that is deep enough to be called done. */
async function finalBlock(chain: Chain): Promise<bigint> {
  const final = await chain.finalized()
  if (final !== null) return final
  const { number } = await chain.head()
  const above = BigInt(chain.network.confirmations - 1)
  return number > above ? number - above : 0n
}

async function expire(tx: Context, { id, claimId }: { id: string; claimId: string | null }): Promise<boolean> {
  if (claimId) await lockClaim(tx, claimId)
  const voucher = await tx.db.voucher.findFirst({ where: { id, state: 'PENDING' } })
  if (!voucher) return false
  await endVoucher(tx, voucher, 'EXPIRED')
  return true
}
