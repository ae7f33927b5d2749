import type { Hex } from 'viem'
import type { SystemContext } from '../../platform/auth/context.ts'
import { log } from '../../core/log.ts'
import { type Chain, ChainUnavailable, type RawLog } from '../../ports/chain/chain.ts'
import { type ChainLogRow, mintKey, movesOf } from './moves-of.ts'
import { type Followed, readReceiptLogs, withBlocks } from './read-logs.ts'

/**
 * The logs that a node left out of transactions of which it gave others. An ERC-1155 mint without the log of its
 * voucher looks like somebody else's, which would take the units of other promises. So where one of a collection that
 * has vouchers out isn't ours, its receipt is read, from another node where there is one. Throws ChainUnavailable when
 * no node has it.
 */
export async function findRestOfTransactions(
  ctx: SystemContext,
  chain: Chain,
  collections: readonly Followed[],
  { node, logs }: { node: string; logs: readonly ChainLogRow[] },
): Promise<ChainLogRow[]> {
  const networkId = chain.network.id
  const doubtful = await findDoubtful(ctx, networkId, logs)
  if (doubtful.size === 0) return []
  const came = new Map(logs.map((one) => [keyOf(one), contentOf(one)]))
  const missing = await chain.atOneNode(
    async (other) => {
      const found: RawLog[] = []
      for (const [hash, blockHash] of doubtful) {
        const all = await readReceiptLogs(other, collections, hash)
        if (!all || all.some((one) => one.blockHash !== blockHash))
          throw new ChainUnavailable(`The node has no receipt of ${hash} in block ${blockHash}.`)
        if (all.some((one) => came.has(keyOf(one)) && came.get(keyOf(one)) !== contentOf(one)))
          throw new ChainUnavailable(`The receipt of ${hash} contradicts its logs.`)
        found.push(...all.filter((one) => !came.has(keyOf(one))))
      }
      const rows = await withBlocks(other, networkId, collections, found, new Map())
      if (!rows) throw new ChainUnavailable('The chain changed while receipts were read.')
      return rows
    },
    { not: node },
  )
  if (missing.length > 0) log.warn({ networkId, node, count: missing.length }, 'A node left out logs of transactions.')
  return missing
}

const keyOf = ({ txHash, logIndex }: { txHash: string; logIndex: number }): string => `${txHash} ${logIndex}`

const contentOf = ({ topics, data }: Pick<RawLog, 'topics' | 'data'> | Pick<ChainLogRow, 'topics' | 'data'>): string =>
  [...topics, data].join(' ')

/** The transactions of which logs may be missing, with their blocks' hashes. */
async function findDoubtful(
  ctx: SystemContext,
  networkId: number,
  logs: readonly ChainLogRow[],
): Promise<ReadonlyMap<Hex, string>> {
  const halves = [...Map.groupBy(logs, ({ txHash }) => txHash).values()].filter((own) => !isWhole(own)).flat()
  if (halves.length === 0) return new Map()
  const sold = await ctx.db.voucher.findMany({
    where: {
      collectionId: { in: [...new Set(halves.map(({ collectionId }) => collectionId))] },
      collection: { tokenType: 'ERC1155' },
      state: 'PENDING',
    },
    distinct: ['collectionId'],
    select: { collectionId: true },
  })
  const ours = await ctx.db.signedTransaction.findMany({
    where: { networkId, hash: { in: [...new Set(halves.map(({ txHash }) => txHash))] } },
    select: { hash: true },
  })
  const withVouchers = new Set(sold.map(({ collectionId }) => collectionId))
  const known = new Set(ours.map(({ hash }) => hash))
  const doubtful = halves.filter(({ collectionId, txHash }) => withVouchers.has(collectionId) && !known.has(txHash))
  return new Map(doubtful.map(({ txHash, blockHash }) => [txHash as Hex, blockHash]))
}

/** Whether each mint of a transaction came with the log of its voucher, and each such log with its mint. */
function isWhole(logs: readonly ChainLogRow[]): boolean {
  const { moves, nonces } = movesOf(logs)
  const mints = new Set(moves.filter(({ type }) => type === 'MINT').map(mintKey))
  return [...mints, ...nonces.keys()].every((key) => mints.has(key) && nonces.has(key))
}
