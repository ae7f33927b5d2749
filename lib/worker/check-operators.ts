import { raiseAlarm, resolveAlarm } from '../records/alarms/raise-alarm.ts'
import type { WorkerContext } from '../platform/auth/context.ts'
import { secondsFrom } from '../core/clock.ts'
import { env } from '../core/env.ts'
import { weiOfGwei } from '../core/gas.ts'
import { alarmOperatorLow, laneName } from '../onchain/transactions/lane.ts'

/** A transaction that waits longer than this is stuck. */
const STUCK_SECONDS = 600

/** Raises alarms for low operator balances and for stuck transactions, and resolves them when they are over. */
export async function checkOperators(worker: WorkerContext): Promise<void> {
  for (const chain of worker.ports.chains.values()) {
    const networkId = chain.network.id
    for (const operator of worker.ports.keys.operators) {
      const balance = await chain.balance(operator)
      if (balance < weiOfGwei(env.OPERATOR_FLOOR_GWEI)) await alarmOperatorLow(worker, networkId, operator)
      else await resolveAlarm(worker, 'operator_low', laneName(networkId, operator))
    }
    await checkAges(worker, networkId)
  }
  await resolveUnstuck(worker)
}

async function checkAges(worker: WorkerContext, networkId: number): Promise<void> {
  const late = { lt: secondsFrom(worker.now(), -STUCK_SECONDS) }
  const oldest = await worker.db.transaction.findFirst({
    where: {
      networkId,
      OR: [
        { state: 'PENDING', createdAt: late },
        { state: 'SUBMITTED', blockNumber: null, submittedAt: late },
      ],
    },
    orderBy: { id: 'asc' },
    select: { id: true },
  })
  if (oldest)
    return raiseAlarm(
      worker,
      'operator_stuck',
      `network ${networkId}`,
      `Transaction ${oldest.id} on network ${networkId} has waited for more than 10 minutes.`,
    )
  await resolveAlarm(worker, 'operator_stuck', `network ${networkId}`)
}

/** Resolves alarms about single transactions that aren't stuck any more. */
async function resolveUnstuck(worker: WorkerContext): Promise<void> {
  const alarms = await worker.db.alarm.findMany({
    where: { kind: 'operator_stuck', resolvedAt: null, NOT: { subject: { startsWith: 'network' } } },
    take: 100,
  })
  const stuck = await worker.db.transaction.findMany({
    where: { id: { in: alarms.map((alarm) => alarm.subject) }, state: 'SUBMITTED', blockNumber: null },
    select: { id: true },
  })
  for (const { subject } of alarms)
    if (!stuck.some(({ id }) => id === subject)) await resolveAlarm(worker, 'operator_stuck', subject)
}
