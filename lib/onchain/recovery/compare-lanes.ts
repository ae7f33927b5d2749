import type { Address } from 'viem'
import type { WorkerContext } from '../../platform/auth/context.ts'
import type { Chain } from '../../ports/chain/chain.ts'
import { isLaneRecovering } from '../../orders/recovering.ts'
import { comparedNonce } from '../transactions/lane.ts'
import { enterRecovery } from './enter-recovery.ts'

/** Compares each operator's nonce with the books, and begins a recovery where the chain is ahead. Returns the operators whose lane is behind. */
export async function compareLanes(worker: WorkerContext, chain: Chain): Promise<Address[]> {
  const behind: Address[] = []
  for (const operator of worker.ports.keys.operators) {
    const isOpen = await isLaneRecovering(worker, chain.network.id, operator)
    const { mined, isBehind } = await comparedNonce(worker, chain, operator)
    if (!isOpen && isBehind) await laneBehind(worker, chain, operator, mined)
    if (isOpen || isBehind) behind.push(operator)
  }
  return behind
}

/** The chain has mined transactions of an operator that the books don't have. */
export const laneBehind = (worker: WorkerContext, chain: Chain, operator: Address, mined: number): Promise<void> =>
  enterRecovery(
    worker,
    chain,
    operator,
    `the chain has ${mined} of its transactions, which is more than were signed here.`,
  )
