import type { Address } from 'viem'
import type { SystemContext } from '../../platform/auth/context.ts'
import { endAsForeign } from './settle-lanes.ts'

/**
 * A person knows that the unknown transactions of an operator were sent by hand: its open recoveries end, and what
 * waits for them goes on. Returns how many.
 */
export async function endByHand(worker: SystemContext, operator: string): Promise<number> {
  const open = await worker.db.recovery.findMany({
    where: { operator: { equals: operator, mode: 'insensitive' }, endedAt: null },
  })
  for (const recovery of open) {
    const chain = worker.ports.chains.get(recovery.networkId)
    const to = chain ? await chain.nonce(recovery.operator as Address, 'latest') : null
    await endAsForeign(worker, recovery, to)
  }
  return open.length
}
