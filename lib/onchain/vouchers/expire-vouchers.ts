import type { Collection } from '../../../generated/prisma/client.ts'
import { type Context, inTransaction, type WorkerContext } from '../../platform/auth/context.ts'
import { type Chain, ChainUnavailable } from '../../ports/chain/chain.ts'
import { findReady, sweep } from '../../platform/jobs/sweep.ts'
import { isRecovering } from '../../orders/recovering.ts'
import { readAgainSince } from '../indexer/read-again.ts'
import { endVoucher } from './apply-voucher-fact.ts'
import { isUsedOnChain } from './is-used-on-chain.ts'

const BATCH = 500
const TASK = { kind: 'expire vouchers', failure: 'An expired voucher could not be ended.' }

/**
 * Ends vouchers that nobody can send any more: the chain's own time has passed their expiry in a final block, every log up to that
 * block is entered and was read twice, and the contract says that they weren't used. A voucher of which the chain says something that
 * isn't applied yet waits; so do all while no node answers, or the books are behind the chain. Where one was used and its mint isn't entered, blocks are read once more.
 * Returns how many ended.
 */
export async function expireVouchers(worker: WorkerContext, chain: Chain): Promise<number> {
  const { id: networkId, finality } = chain.network
  if (await isRecovering(worker, networkId)) return 0
  const indexed = await worker.db.chainCursor.findUnique({ where: { networkId } })
  if (!indexed) return 0
  const entered = finality === 'never' ? indexed.number : earlier(indexed.number, indexed.rescannedTo)
  const block = entered < 0n ? null : await chain.block(earlier(await finalBlock(chain), entered))
  if (!block) return 0
  const due = await findReady(worker, TASK, BATCH, (range) =>
    worker.db.voucher.findMany({
      where: {
        networkId,
        state: 'PENDING',
        expiry: { lt: BigInt(Math.floor(block.timestamp.getTime() / 1000)) },
        collection: { OR: [{ following: true }, { indexedTo: { gte: block.number } }] },
        facts: { none: {} },
      },
      orderBy: [{ expiry: 'asc' }, { id: 'asc' }],
      select: {
        id: true,
        organizationId: true,
        itemId: true,
        contract: true,
        nonce: true,
        tokenId: true,
        createdAt: true,
        collection: { select: { tokenType: true } },
      },
      ...range,
    }),
  )
  const missed: Date[] = []
  const ended = await sweep(
    worker,
    TASK,
    due,
    async (ctx, voucher) => {
      if (await isUsedUnseen(ctx, chain, voucher)) {
        missed.push(voucher.createdAt)
        throw new Error('The contract says that this voucher was used, and its mint isn’t entered.')
      }
      return inTransaction(ctx, (tx) => endVoucher(tx, voucher.id, 'EXPIRED'))
    },
    { ignore: (error) => error instanceof ChainUnavailable },
  )
  const [first] = missed.sort((a, b) => a.getTime() - b.getTime())
  if (first) await readAgainSince(worker, chain, first)
  return ended
}

type Expired = {
  itemId: string
  contract: string
  nonce: bigint
  tokenId: string
  collection: Pick<Collection, 'tokenType'>
}

/** Whether the contract knows of a use that isn't entered. A token whose mint is entered was minted by somebody else. */
async function isUsedUnseen(ctx: Context, chain: Chain, { itemId, collection, ...voucher }: Expired): Promise<boolean> {
  if (!(await isUsedOnChain(chain, { ...voucher, tokenType: collection.tokenType }))) return false
  return (
    collection.tokenType !== 'ERC721' || (await ctx.db.itemHistory.count({ where: { itemId, type: 'MINT' } })) === 0
  )
}

const earlier = (a: bigint, b: bigint): bigint => (a < b ? a : b)

/** The last final block; on a network without finality, one that is confirmations deep. */
async function finalBlock(chain: Chain): Promise<bigint> {
  const final = await chain.finalized()
  if (final !== null) return final
  const { number } = await chain.head()
  const above = BigInt(chain.network.confirmations - 1)
  return number > above ? number - above : 0n
}
