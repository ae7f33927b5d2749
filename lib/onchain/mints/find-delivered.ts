import type { SystemContext } from '../../platform/auth/context.ts'
import { NotProved } from '../transactions/agreed-answer.ts'
import type { Chain } from '../../ports/chain/chain.ts'
import { findConsumedHolds } from '../../stock/find-consumed-holds.ts'
import { readIndexed } from '../indexer/read-indexed.ts'
import type { SendingMint, SendingRow } from '../transactions/sending-row.ts'
import { isDoneOnChain } from './is-done-on-chain.ts'

/** A receipt in a final block, by which mints of its transaction aren't done. */
type Said = { txHash: string; finalTo: bigint }

/**
 * Those of these mints that are done although the receipt says otherwise: the indexer has a log of that transaction
 * which consumed their hold, and the contract agrees. The others have failed. null: the index is behind, or on a branch
 * that a reorg left. Throws NotProved where log, receipt and contract contradict each other: nothing is delivered,
 * refunded or minted again until they agree.
 */
export async function findDelivered(
  worker: SystemContext,
  chain: Chain,
  row: SendingRow,
  mints: readonly SendingMint[],
  { txHash, finalTo }: Said,
): Promise<ReadonlySet<string> | null> {
  const delivered = new Set<string>()
  if (mints.length === 0) return delivered
  // Read before the history, which may be of a branch that a reorg left.
  const indexed = await readIndexed(worker, chain)
  const logs = await findLogs(worker, mints)
  for (const mint of mints) {
    const log = logs.get(mint.id)
    const { proved, possible } = await isDoneOnChain(chain, row, mint)
    if (log && (!indexed?.isOnChain || log.blockNumber > finalTo)) return null
    if (log && proved && log.txHash === txHash) delivered.add(mint.id)
    else if (log)
      throw new NotProved(
        `A log says that mint ${mint.id} is done in ${log.txHash}, and the receipt of ${txHash} that it isn’t.`,
      )
    else if (possible && !(indexed?.isOnChain && (await isAnothers(worker, row, mint, finalTo))))
      throw new NotProved(
        `The contract says that mint ${mint.id} is done, the receipt of ${txHash} that it ` +
          'isn’t, and no log is entered.',
      )
  }
  return delivered
}

type Log = { txHash: string; blockNumber: bigint }

/** The logs that consumed these mints' holds. */
async function findLogs(worker: SystemContext, mints: readonly SendingMint[]): Promise<ReadonlyMap<string, Log>> {
  const holds = await findConsumedHolds(
    worker,
    mints.map(({ id }) => id),
  )
  if (holds.length === 0) return new Map()
  const logs = await worker.db.itemHistory.findMany({
    where: { itemId: { in: mints.map(({ itemId }) => itemId) }, holdId: { in: holds.map(({ id }) => id) } },
    select: { holdId: true, txHash: true, blockNumber: true },
  })
  const holders = new Map(holds.map(({ id, holderId }) => [id, holderId]))
  return new Map(logs.map(({ holdId, ...log }) => [holders.get(holdId!)!, log]))
}

/** Whether another's mint or move of the token explains what the contract says. A request number is ours alone. */
async function isAnothers(
  worker: SystemContext,
  { txType, collection, operator }: SendingRow,
  { itemId }: SendingMint,
  finalTo: bigint,
): Promise<boolean> {
  if (collection.tokenType !== 'ERC721') return false
  const what =
    txType === 'TRANSFER_TOKEN' ? { type: { not: 'MINT' as const }, fromAddress: operator! } : { type: 'MINT' as const }
  return (await worker.db.itemHistory.count({ where: { itemId, ...what, blockNumber: { lte: finalTo } } })) > 0
}
