import { inTransaction, type WorkerContext } from '../../platform/auth/context.ts'
import type { Chain } from '../../ports/chain/chain.ts'
import { findReady, sweep } from '../../platform/jobs/sweep.ts'
import { endVoucher } from './apply-voucher-fact.ts'

const BATCH = 500
const TASK = { kind: 'expire vouchers', failure: 'An expired voucher could not be ended.' }

/**
 * Ends vouchers that nobody can send any more: the chain's own time has passed their expiry in a final block, and every
 * log up to that block is entered, so that a mint of the last second isn't missed. A voucher of which the chain says
 * something that isn't applied yet waits. Returns how many ended.
 */
export async function expireVouchers(worker: WorkerContext, chain: Chain): Promise<number> {
  const indexed = await worker.db.chainCursor.findUnique({ where: { networkId: chain.network.id } })
  if (!indexed) return 0
  const final = await finalBlock(chain)
  const block = await chain.block(final < indexed.number ? final : indexed.number)
  if (!block) return 0
  const due = await findReady(worker, TASK, BATCH, (range) =>
    worker.db.voucher.findMany({
      where: {
        networkId: chain.network.id,
        state: 'PENDING',
        expiry: { lt: BigInt(Math.floor(block.timestamp.getTime() / 1000)) },
        collection: { OR: [{ following: true }, { indexedTo: { gte: block.number } }] },
        facts: { none: {} },
      },
      orderBy: [{ expiry: 'asc' }, { id: 'asc' }],
      select: { id: true, organizationId: true },
      ...range,
    }),
  )
  return sweep(worker, TASK, due, (ctx, { id }) => inTransaction(ctx, (tx) => endVoucher(tx, id, 'EXPIRED')))
}

/** The last final block; on a network without finality, one that is confirmations deep. */
async function finalBlock(chain: Chain): Promise<bigint> {
  const final = await chain.finalized()
  if (final !== null) return final
  const { number } = await chain.head()
  const above = BigInt(chain.network.confirmations - 1)
  return number > above ? number - above : 0n
}
