import { type Alarm, type AlarmChange, type AlarmChannel, Prisma } from '../../../generated/prisma/client.ts'
import { inTransaction, within, type SystemContext } from '../../platform/auth/context.ts'
import { MINUTE, secondsFrom } from '../../core/clock.ts'
import { crashPoint } from '../../core/crash.ts'
import { newId } from '../../core/id.ts'
import { log } from '../../core/log.ts'
import { isDatabaseDown } from '../../db/errors.ts'
import { recordEvent } from '../webhooks/record-event.ts'
import { alarmEventOf } from './alarm-event.ts'
import { type Operator, operatorOf } from './operator.ts'

/** An alarm that is over sooner isn't told, and one that is over is told so when it stayed over for as long. */
const STEADY_SECONDS = MINUTE
/** The opening of alarms with the same kind and subject is told at most once in this time. */
const REPEAT_SECONDS = 15 * MINUTE
const BATCH = 500

/** Owners get another mail about these already. */
const MAILED_ELSEWHERE: ReadonlySet<string> = new Set(['webhook_disabled'])

/**
 * Finds alarms whose opening or end is to be told, and writes for each, in one transaction: that it is told, the event
 * of its organization, and a notice for every other receiver, which are sent afterwards. So a process that dies neither
 * loses nor doubles one.
 *
 * Alarms with the same kind and subject that follow each other within a minute are told as one: the first opening and
 * the last end. Returns how many openings and ends were told.
 */
export async function tellAlarms(worker: SystemContext, operator: Operator = operatorOf()): Promise<number> {
  let told = 0
  for (const { id } of await findOpened(worker)) told += await tell(worker, id, (tx) => tellOpened(tx, id, operator))
  for (const { id, until } of await findEnded(worker))
    told += await tell(worker, id, (tx) => tellEnded(tx, id, until, operator))
  return told
}

/** One that can't be told holds up no other. */
async function tell(worker: SystemContext, id: string, work: (tx: SystemContext) => Promise<boolean>): Promise<number> {
  try {
    const isTold = await inTransaction(worker, work)
    if (isTold) crashPoint('alarm_told')
    return isTold ? 1 : 0
  } catch (error) {
    if (isDatabaseDown(error)) throw error
    log.error({ error, id }, 'An alarm could not be told; it is tried again.')
    return 0
  }
}

/**
 * Open alarms that nobody was told of: those that stand for a minute, and those that opened before within a quarter of
 * an hour.
 */
function findOpened(worker: SystemContext): Promise<{ id: string }[]> {
  const [steady, repeated] = timesOf(worker)
  return worker.sql(Prisma.sql`
    SELECT a.id::text FROM alarms a
    WHERE a.resolved_at IS NULL AND a.told_at IS NULL
      AND NOT EXISTS (SELECT 1 FROM alarms b WHERE b.kind = a.kind AND b.subject = a.subject AND b.told_at IS NOT NULL
        AND (b.end_told_at IS NULL OR b.told_at > ${repeated}::timestamptz))
      AND (a.created_at <= ${steady}::timestamptz OR EXISTS (SELECT 1 FROM alarms b
        WHERE b.kind = a.kind AND b.subject = a.subject AND b.id <> a.id AND b.created_at > ${repeated}::timestamptz))
    ORDER BY a.created_at LIMIT ${BATCH}`)
}

/**
 * Alarms whose opening was told, and that are over for a minute with all that followed them. `until`: when the last one
 * ended.
 */
function findEnded(worker: SystemContext): Promise<{ id: string; until: Date }[]> {
  const [steady] = timesOf(worker)
  return worker.sql(Prisma.sql`
    SELECT a.id::text, (SELECT max(b.resolved_at) FROM alarms b
        WHERE b.kind = a.kind AND b.subject = a.subject) AS until FROM alarms a
    WHERE a.told_at IS NOT NULL AND a.end_told_at IS NULL AND a.resolved_at IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM alarms b WHERE b.kind = a.kind AND b.subject = a.subject
        AND (b.resolved_at IS NULL OR b.resolved_at > ${steady}::timestamptz))
    ORDER BY a.resolved_at LIMIT ${BATCH}`)
}

const timesOf = ({ now }: SystemContext) =>
  [secondsFrom(now(), -STEADY_SECONDS).toISOString(), secondsFrom(now(), -REPEAT_SECONDS).toISOString()] as const

async function tellOpened(tx: SystemContext, id: string, operator: Operator): Promise<boolean> {
  const [alarm] = await tx.db.alarm.updateManyAndReturn({
    where: { id, toldAt: null, resolvedAt: null },
    data: { toldAt: tx.now() },
  })
  if (alarm) await notify(tx, alarm, 'OPENED', null, operator)
  return alarm !== undefined
}

async function tellEnded(tx: SystemContext, id: string, until: Date, operator: Operator): Promise<boolean> {
  const [alarm] = await tx.db.alarm.updateManyAndReturn({
    where: { id, endToldAt: null },
    data: { endToldAt: tx.now() },
  })
  if (alarm) await notify(tx, alarm, 'RESOLVED', until, operator)
  return alarm !== undefined
}

async function notify(
  tx: SystemContext,
  alarm: Alarm,
  change: AlarmChange,
  resolvedAt: Date | null,
  operator: Operator,
): Promise<void> {
  const { organizationId, kind } = alarm
  const channels: AlarmChannel[] = [
    ...(organizationId !== null && !MAILED_ELSEWHERE.has(kind) ? ['OWNERS' as const] : []),
    ...(operator.email ? ['OPERATOR' as const] : []),
    ...(operator.webhookUrl ? ['OPERATOR_WEBHOOK' as const] : []),
  ]
  await tx.db.alarmNotice.createMany({
    data: channels.map((channel) => ({
      id: newId(),
      alarmId: alarm.id,
      organizationId,
      kind,
      change,
      channel,
      nextAt: tx.now(),
      endedAt: resolvedAt,
      createdAt: tx.now(),
    })),
  })
  if (organizationId === null) return
  const type = change === 'OPENED' ? 'alarm.opened' : 'alarm.resolved'
  await within(tx, organizationId, (own) => recordEvent(own, type, alarm.id, alarmEventOf(alarm, resolvedAt)))
}
