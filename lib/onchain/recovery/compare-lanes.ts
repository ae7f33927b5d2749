import type { Address } from 'viem'
import type { SystemContext } from '../../platform/auth/context.ts'
import type { Chain } from '../../ports/chain/chain.ts'
import { isLaneRecovering } from '../../orders/recovering.ts'
import { comparedNonce } from '../transactions/lane.ts'
import { checkPromises } from './check-promises.ts'
import { enterRecovery } from './enter-recovery.ts'
import { settleLanes } from './settle-lanes.ts'

/**
 * Compares each operator's nonce with the books, begins a recovery where the chain is ahead, and settles whether
 * something was lost. Returns the operators whose lane is behind.
 */
export async function compareLanes(worker: SystemContext, chain: Chain): Promise<Address[]> {
  for (const operator of worker.ports.keys.operators) {
    if (await isLaneRecovering(worker, chain.network.id, operator)) continue
    const { mined, isBehind } = await comparedNonce(worker, chain, operator)
    if (isBehind) await laneBehind(worker, chain, operator, mined)
  }
  await settleLanes(worker, chain)
  await checkPromises(worker, chain.network)
  const open = await worker.db.recovery.findMany({ where: { networkId: chain.network.id, endedAt: null } })
  return worker.ports.keys.operators.filter((operator) => open.some((recovery) => recovery.operator === operator))
}

/**
 * The chain has mined transactions of an operator that the books don't have: lost ones, or such as somebody sent by
 * hand.
 */
export const laneBehind = (worker: SystemContext, chain: Chain, operator: Address, mined: number): Promise<void> =>
  enterRecovery(worker, chain, operator, {
    reason: `the chain has ${mined} of its transactions, which is more than were signed here.`,
    isLost: false,
  })
