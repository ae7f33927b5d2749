import type { Hex } from 'viem'
import type { UnmatchedMint } from '../../../generated/prisma/client.ts'
import type { SystemContext } from '../../platform/auth/context.ts'
import type { Chain } from '../../ports/chain/chain.ts'
import { crashPoint } from '../../core/crash.ts'
import { findOurSender } from '../mints/find-our-sender.ts'
import { sweepOnChain } from '../transactions/sweep-on-chain.ts'
import { readFinalEntered } from '../indexer/read-indexed.ts'
import { enterRecovery } from './enter-recovery.ts'

const BATCH = 100
const TASK = {
  kind: 'decide unmatched mint',
  failure: 'It can’t be told who sent a mint that no promise explains.',
} as const

/**
 * Looks who sent the mints in final blocks that no promise in the books explains. One by a voucher that we signed and
 * don't know shows that the books are behind the chain. Returns how many were looked at.
 */
export async function decideUnmatchedMints(worker: SystemContext, chain: Chain): Promise<number> {
  const { id: networkId } = chain.network
  const waiting = { networkId, state: 'UNCHECKED' as const }
  if ((await worker.db.unmatchedMint.count({ where: waiting })) === 0) return 0
  const finalTo = await readFinalEntered(worker, chain)
  if (finalTo === null) return 0
  const rows = await worker.db.unmatchedMint.findMany({
    where: { ...waiting, blockNumber: { lte: finalTo } },
    orderBy: { id: 'asc' },
    take: BATCH,
  })
  await sweepOnChain(worker, TASK, rows, (row) => decide(worker, chain, row))
  return rows.length
}

async function decide(worker: SystemContext, chain: Chain, row: UnmatchedMint): Promise<void> {
  const collection = await worker.db.collection.findFirstOrThrow({
    where: { id: row.collectionId },
    select: { id: true, contractAddress: true, minter: true, signer: true },
  })
  const sender = await findOurSender(worker, chain, collection, row.txHash as Hex)
  if (sender === 'unknown') throw new Error(`No node knows the transaction ${row.txHash}, whose logs are entered.`)
  if (sender === 'voucher' && collection.minter && !(await isCovered(worker, collection.minter, row)))
    await enterRecovery(worker, chain, collection.minter, {
      reason: `the transaction ${row.txHash} used a voucher that was signed here and isn’t known.`,
      isLost: true,
    })
  await worker.db.unmatchedMint.updateMany({
    where: { id: row.id, state: 'UNCHECKED' },
    data: { state: sender === null ? 'FOREIGN' : 'OURS' },
  })
  crashPoint('mint_decided')
}

/** A recovery of the lane, open or over, is about blocks up to this one. */
const isCovered = async (
  worker: SystemContext,
  operator: string,
  { networkId, blockNumber }: UnmatchedMint,
): Promise<boolean> =>
  (await worker.db.recovery.count({
    where: { networkId, operator, untilBlock: { gte: blockNumber }, lostAt: { not: null } },
  })) > 0
