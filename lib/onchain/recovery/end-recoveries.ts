import type { Address } from 'viem'
import { Prisma } from '../../../generated/prisma/client.ts'
import { resolveAlarm } from '../../records/alarms/raise-alarm.ts'
import { inTransaction, type SystemContext } from '../../platform/auth/context.ts'
import type { Chain } from '../../ports/chain/chain.ts'
import { crashPoint } from '../../core/crash.ts'
import { readCursor } from '../indexer/cursor.ts'
import { advanceLane, comparedNonce } from '../transactions/lane.ts'
import { laneName } from '../transactions/lane-name.ts'
import { promisesFrom } from './enter-recovery.ts'

/**
 * Ends the recoveries of a network that had lost something and whose lane has caught up: all blocks up to the head of
 * their beginning are entered and, where blocks become final, were read again, what they say of vouchers is applied,
 * and every mint that the books can't explain was looked at.
 */
export async function endRecoveries(worker: SystemContext, chain: Chain): Promise<void> {
  const { id: networkId, finality } = chain.network
  const open = await worker.db.recovery.findMany({ where: { networkId, endedAt: null, lostAt: { not: null } } })
  if (open.length === 0) return
  const cursor = await readCursor(worker, networkId)
  if (!cursor) return
  const entered = finality === 'never' ? cursor.number : cursor.rescannedTo
  for (const { id, operator, untilBlock, startedAt } of open) {
    if (entered < untilBlock || (await isUndecided(worker, networkId, untilBlock))) continue
    const { mined, isBehind } = await comparedNonce(worker, chain, operator as Address)
    await inTransaction(worker, async (tx) => {
      const { count } = await tx.db.recovery.updateMany({ where: { id, endedAt: null }, data: { endedAt: tx.now() } })
      if (count === 0) return
      if (mined > 0) await advanceLane(tx, networkId, operator as Address, mined - 1)
      if (!isBehind && !(await hasLost(tx, networkId, startedAt))) await releasePromises(tx, networkId, startedAt)
      await resolveAlarm(tx, 'books_behind', laneName(networkId, operator))
    })
    crashPoint('recovery_ended')
  }
}

async function isUndecided(worker: SystemContext, networkId: number, untilBlock: bigint): Promise<boolean> {
  const [row] = await worker.sql<{ waits: boolean }>(Prisma.sql`
    SELECT EXISTS (SELECT 1 FROM unmatched_mints
        WHERE network_id = ${networkId} AND state = 'UNCHECKED' AND block_number <= ${untilBlock})
      OR EXISTS (SELECT 1 FROM voucher_facts
        WHERE network_id = ${networkId} AND type <> 'CANCELLED' AND attempts = 0) AS waits`)
  return row!.waits
}

/** Whether a mint of ours was found that the books had lost. */
const hasLost = async (tx: SystemContext, networkId: number, since: Date): Promise<boolean> =>
  (await tx.db.unmatchedMint.count({
    where: { networkId, state: { in: ['OURS', 'MATCHED', 'SETTLED'] }, updatedAt: { gte: since } },
  })) > 0

/** The books had lost nothing: a node had named a nonce that wasn't true. */
const releasePromises = (tx: SystemContext, networkId: number, startedAt: Date): Promise<unknown> =>
  tx.db.collection.updateMany({
    where: { networkId, promisesFrom: promisesFrom(startedAt) },
    data: { promisesFrom: null },
  })
