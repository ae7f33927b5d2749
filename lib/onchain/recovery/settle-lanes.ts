import type { Address } from 'viem'
import type { Recovery } from '../../../generated/prisma/client.ts'
import { resolveAlarm } from '../../records/alarms/raise-alarm.ts'
import { inTransaction, type SystemContext } from '../../platform/auth/context.ts'
import type { Chain } from '../../ports/chain/chain.ts'
import { crashPoint } from '../../core/crash.ts'
import { log } from '../../core/log.ts'
import { advanceLane } from '../transactions/lane.ts'
import { laneName } from '../transactions/lane-name.ts'
import { enterRecovery, promisesFrom } from './enter-recovery.ts'
import { judgeLane } from './judge-lane.ts'

/**
 * Settles for each lane that is beyond the books whether a backup was put back. Where its unknown transactions were
 * sent by hand, or a node had made them up, all goes on at once; else the whole network recovers. Until then only what
 * this operator mints waits.
 */
export async function settleLanes(worker: SystemContext, chain: Chain): Promise<void> {
  const { id: networkId } = chain.network
  const open = await worker.db.recovery.findMany({ where: { networkId, endedAt: null, lostAt: null } })
  for (const recovery of open) {
    const operator = recovery.operator as Address
    const lane = await worker.db.operatorLane.findUnique({ where: { networkId_operator: { networkId, operator } } })
    const verdict = await judgeLane(worker, chain, operator, lane?.nextNonce ?? 0)
    if (verdict.is === 'lost')
      await enterRecovery(worker, chain, operator, {
        isLost: true,
        reason: 'the chain has transactions of it that call our contracts, or can’t be read.',
      })
    else if (verdict.is !== 'waits') await endAsForeign(worker, recovery, verdict.is === 'foreign' ? verdict.to : null)
  }
}

/** Ends a recovery by which nothing was lost. `to`: the lane's next nonce; null where it stays. */
export async function endAsForeign(
  worker: SystemContext,
  { id, networkId, operator, startedAt }: Recovery,
  to: number | null,
): Promise<void> {
  await inTransaction(worker, async (tx) => {
    const { count } = await tx.db.recovery.updateMany({ where: { id, endedAt: null }, data: { endedAt: tx.now() } })
    if (count === 0) return
    if (to !== null) await advanceLane(tx, networkId, operator as Address, to - 1)
    await tx.db.collection.updateMany({
      where: { networkId, promisesFrom: promisesFrom(startedAt) },
      data: { promisesFrom: null },
    })
    await resolveAlarm(tx, 'books_behind', laneName(networkId, operator))
    log.warn({ network: networkId, operator, next_nonce: to }, 'Somebody else sends with an operator’s key.')
  })
  crashPoint('recovery_ended')
}
