import { Prisma } from '../../generated/prisma/client.ts'
import { type AlarmKind, raiseAlarm, resolveAlarm } from '../records/alarms/raise-alarm.ts'
import type { SystemContext } from '../platform/auth/context.ts'
import { HOUR, secondsFrom } from '../core/clock.ts'
import { env } from '../core/env.ts'
import { weiOfGwei } from '../core/gas.ts'
import { senderOf } from '../onchain/transactions/sender-of.ts'
import { alarmOperatorLow } from '../onchain/transactions/lane.ts'
import { laneName } from '../onchain/transactions/lane-name.ts'
import { compareLanes } from '../onchain/recovery/compare-lanes.ts'

/** A transaction that waits longer than this is stuck. */
const STUCK_SECONDS = 600
/** One that is passed over waits for money, and may wait this long without an alarm. */
const PASSED_OVER_SECONDS = HOUR

/** Raises alarms for low operator balances and for stuck transactions, and resolves them when they are over. */
export async function checkOperators(worker: SystemContext): Promise<void> {
  for (const chain of worker.ports.chains.values()) {
    const networkId = chain.network.id
    for (const operator of worker.ports.keys.operators) {
      const balance = await chain.balance(operator)
      if (balance < weiOfGwei(env.OPERATOR_FLOOR_GWEI)) await alarmOperatorLow(worker, networkId, operator)
      else await resolveAlarm(worker, 'operator_low', laneName(networkId, operator))
    }
    await compareLanes(worker, chain)
    await checkAges(worker, networkId)
    await checkPassedOver(worker, networkId)
    await checkKeys(worker, networkId)
  }
  await resolveUnstuck(worker)
}

/**
 * Raises an alarm where a transaction has waited for long, and ends it where none has. A transaction of a suspended
 * organization or collection waits without one.
 */
async function checkAges(worker: SystemContext, networkId: number): Promise<void> {
  const late = secondsFrom(worker.now(), -STUCK_SECONDS).toISOString()
  const [oldest] = await worker.sql<{ id: string }>(Prisma.sql`
    SELECT id::text FROM transactions WHERE network_id = ${networkId} AND state IN ('PENDING', 'SUBMITTED')
      AND ((state = 'PENDING' AND passed_over_at IS NULL AND created_at < ${late}::timestamptz
          AND (tx_type = 'CANCEL_VOUCHER' OR NOT is_suspended(organization_id, collection_id)))
        OR (state = 'SUBMITTED' AND block_number IS NULL AND submitted_at < ${late}::timestamptz))
    ORDER BY created_at, id LIMIT 1`)
  if (oldest)
    return raiseAlarm(
      worker,
      'operator_stuck',
      `network ${networkId}`,
      `Transaction ${oldest.id} on network ${networkId} has waited for more than 10 minutes.`,
    )
  await resolveAlarm(worker, 'operator_stuck', `network ${networkId}`)
}

/** Tells of what waits since it costs more than there is. The others go meanwhile. */
async function checkPassedOver(worker: SystemContext, networkId: number): Promise<void> {
  const late = secondsFrom(worker.now(), -PASSED_OVER_SECONDS).toISOString()
  const [oldest] = await worker.sql<{ id: string; count: number }>(Prisma.sql`
    SELECT id::text, (count(*) OVER ())::int AS count FROM transactions
    WHERE network_id = ${networkId} AND state = 'PENDING' AND passed_over_at < ${late}::timestamptz
      AND NOT is_suspended(organization_id, collection_id)
    ORDER BY id LIMIT 1`)
  const subject = `network ${networkId} passed over`
  if (!oldest) return resolveAlarm(worker, 'operator_stuck', subject)
  await raiseAlarm(
    worker,
    'operator_stuck',
    subject,
    `Transaction ${oldest.id} on network ${networkId} has been passed over for more than an hour, as ${oldest.count} ` +
      'in all: it costs more than its operator’s balance covers, or more than is left of its organization’s gas ' +
      'budget. The others are sent. Fill the operator up or raise the budget, and it goes by itself, or cancel it.',
  )
}

/**
 * More of them are counted no further. In this order the planner takes the index of open transactions
 * (docs/decisions/0021).
 */
const MOST_COUNTED = 1_000

type Missing = { address: string; waiting: number }

/** Names the accounts without which transactions wait: their keys aren't among ours (any more). */
async function checkKeys(worker: SystemContext, networkId: number): Promise<void> {
  const missing = await worker.sql<Missing>(Prisma.sql`
    SELECT s.address, count(*)::int AS waiting FROM (
      SELECT coalesce(t.operator, ${senderOf(worker)}) AS address
      FROM (
        SELECT * FROM transactions WHERE network_id = ${networkId} AND state IN ('PENDING', 'SUBMITTED')
        ORDER BY created_at LIMIT ${MOST_COUNTED}
      ) t JOIN collections c ON c.id = t.collection_id
      WHERE t.state = 'PENDING' OR t.block_number IS NULL
    ) s
    WHERE NOT s.address = ANY(${[...worker.ports.keys.operators, '']}::text[]) GROUP BY 1`)
  for (const { address, waiting } of missing)
    await raiseAlarm(
      worker,
      'operator_missing',
      laneName(networkId, address),
      `The key of the operator ${address} is not among OPERATOR_KEYS: ` +
        `${waiting} transactions on network ${networkId} wait for it. Nothing is given up; set the key again, ` +
        'or let another operator take over (docs/operators.md).',
    )
  const open = await worker.db.alarm.findMany({
    where: { kind: 'operator_missing', resolvedAt: null, subject: { startsWith: laneName(networkId, '') } },
  })
  for (const { subject } of open)
    if (!missing.some(({ address }) => laneName(networkId, address) === subject))
      await resolveAlarm(worker, 'operator_missing', subject)
}

/** Resolves alarms about single transactions that aren't stuck any more. */
async function resolveUnstuck(worker: SystemContext): Promise<void> {
  const alarms = await worker.db.alarm.findMany({
    where: {
      kind: { in: ['operator_stuck', 'broadcast_refused'] },
      resolvedAt: null,
      NOT: { subject: { startsWith: 'network' } },
    },
    take: 100,
  })
  const stuck = await worker.db.transaction.findMany({
    where: { id: { in: alarms.map((alarm) => alarm.subject) }, state: 'SUBMITTED', blockNumber: null },
    select: { id: true },
  })
  for (const { kind, subject } of alarms)
    if (!stuck.some(({ id }) => id === subject)) await resolveAlarm(worker, kind as AlarmKind, subject)
}
