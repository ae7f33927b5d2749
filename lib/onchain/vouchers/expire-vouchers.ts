import { Prisma } from '../../../generated/prisma/client.ts'
import { columns, type RowOf } from '../../db/columns.ts'
import { type Context, inTransaction, type SystemContext } from '../../platform/auth/context.ts'
import { askSeveral } from '../transactions/agreed-answer.ts'
import { type Chain, ChainUnavailable } from '../../ports/chain/chain.ts'
import { crashPoint } from '../../core/crash.ts'
import { findReady, sweep } from '../../platform/jobs/sweep.ts'
import { RECOVERING } from '../../orders/recovering.ts'
import { readAgainSince } from '../indexer/read-again.ts'
import { endVoucher } from './apply-voucher-fact.ts'
import { findUsedOtherwise } from './find-used-otherwise.ts'
import { isUsedOnChain } from './is-used-on-chain.ts'

const BATCH = 500
const TASK = { kind: 'expire vouchers', failure: 'An expired voucher could not be ended.' } as const

const VOUCHER = columns('v', 'Voucher', ['id', 'organizationId', 'itemId', 'contract', 'nonce', 'tokenId', 'createdAt'])
const COLLECTION = columns('c', 'Collection', ['tokenType'])

/**
 * Ends vouchers that nobody can send any more: the chain's own time has passed their expiry in a final block, every log
 * up to that block is entered and was read twice, and the contract says that they weren't used, or the index by what
 * else. A voucher of which the chain says something that isn't applied yet waits; so do all while no node answers, or
 * the books are behind the chain. Where one was used and its mint isn't entered, blocks are read once more. Returns how
 * many ended.
 */
export async function expireVouchers(worker: SystemContext, chain: Chain): Promise<number> {
  const { id: networkId, finality } = chain.network
  const indexed = await worker.db.chainCursor.findUnique({ where: { networkId } })
  if (!indexed) return 0
  const entered = finality === 'never' ? indexed.number : earlier(indexed.number, indexed.rescannedTo)
  const block = entered < 0n ? null : await chain.block(earlier(await finalBlock(chain), entered))
  if (!block) return 0
  const before = BigInt(Math.floor(block.timestamp.getTime() / 1000))
  const due = await findReady(worker, TASK, BATCH, ({ skip, take }) =>
    worker.sql<Expired>(Prisma.sql`
    SELECT ${Prisma.raw(VOUCHER)}, ${Prisma.raw(COLLECTION)}
    FROM vouchers v JOIN collections c ON c.id = v.collection_id
    WHERE v.network_id = ${networkId} AND v.state = 'PENDING' AND v.expiry < ${before}
      AND (c.following OR c.indexed_to >= ${block.number}) AND NOT ${Prisma.raw(RECOVERING)}
      AND NOT EXISTS (SELECT 1 FROM voucher_facts f WHERE f.voucher_id = v.id)
    ORDER BY v.expiry, v.id LIMIT ${take} OFFSET ${skip}`),
  )
  const missed: Date[] = []
  const ended = await sweep(
    worker,
    TASK,
    due,
    async (ctx, voucher) => {
      if (await isUsedUnseen(ctx, chain, voucher, block.number)) {
        missed.push(voucher.createdAt)
        throw new Error('The contract says that this voucher was used, and its mint isn’t entered.')
      }
      return inTransaction(ctx, async (tx) => {
        const isEnded = await endVoucher(tx, voucher.id, 'EXPIRED')
        crashPoint('voucher_ended')
        return isEnded
      })
    },
    { ignore: (error) => error instanceof ChainUnavailable },
  )
  const [first] = missed.sort((a, b) => a.getTime() - b.getTime())
  if (first) await readAgainSince(worker, chain, first)
  return ended
}

type Expired = RowOf<typeof VOUCHER> & RowOf<typeof COLLECTION>

/**
 * Whether the contract knows of a use that isn't entered, by any of several nodes. A token whose mint is entered was
 * minted by somebody else; a nonce may have been used by a voucher that was lost when a backup was put back.
 */
async function isUsedUnseen(
  ctx: Context,
  chain: Chain,
  { id, itemId, ...voucher }: Expired,
  entered: bigint,
): Promise<boolean> {
  const answers = await askSeveral(chain, (node) => isUsedOnChain(node, voucher))
  if (!answers.includes(true)) return false
  if (voucher.tokenType === 'ERC721') return (await ctx.db.itemHistory.count({ where: { itemId, type: 'MINT' } })) === 0
  return !(await findUsedOtherwise(ctx, [id], entered)).has(id)
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
