import { type AlarmNotice, Prisma } from '../../../generated/prisma/client.ts'
import type { SystemContext } from '../../platform/auth/context.ts'
import { realNow, secondsFrom } from '../../core/clock.ts'
import { crashPoint } from '../../core/crash.ts'
import { LEASE_SECONDS, nextAttemptAt, RESPONSE_TIMEOUT_SECONDS } from '../webhooks/retry-schedule.ts'
import { headersSignedWith } from '../webhooks/webhook-secret.ts'
import { alarmEventOf } from './alarm-event.ts'
import { type Operator, operatorOf } from './operator.ts'

/** Few, since they are posted one after another within the lease. */
const BATCH = 3

/**
 * Posts waiting notices to the operator's webhook, signed like every webhook. The lease is stored before the post, so a
 * process that dies repeats a post at most, with the same message id. A receiver that fails is tried again for three
 * days; no alarm is raised about it. Returns how many were posted.
 */
export async function postAlarms(worker: SystemContext, operator: Operator = operatorOf()): Promise<number> {
  if (!operator.webhookUrl) return 0
  const due = await lease(worker)
  for (const notice of due) await post(worker, notice, operator)
  return due.length
}

async function lease(worker: SystemContext): Promise<AlarmNotice[]> {
  const until = secondsFrom(realNow(), LEASE_SECONDS)
  const taken = await worker.sql<{ id: string }>(Prisma.sql`
    UPDATE alarm_notices SET attempts = attempts + 1, posting_until = ${until.toISOString()}::timestamptz
    WHERE id IN (SELECT id FROM alarm_notices
      WHERE channel = 'OPERATOR_WEBHOOK' AND told_at IS NULL AND next_at <= ${worker.now().toISOString()}::timestamptz
        AND (posting_until IS NULL OR posting_until <= ${realNow().toISOString()}::timestamptz)
      ORDER BY next_at, id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
    RETURNING id::text`)
  return worker.db.alarmNotice.findMany({ where: { id: { in: taken.map(({ id }) => id) } }, orderBy: { id: 'asc' } })
}

async function post(worker: SystemContext, notice: AlarmNotice, operator: Operator): Promise<void> {
  const { id } = notice
  const failure = await failureOf(worker, notice, operator)
  crashPoint('alarm_posted')
  await worker.db.alarmNotice.updateMany({
    where: { id, toldAt: null },
    data:
      failure === null
        ? { toldAt: worker.now(), lastError: null }
        : {
            lastError: failure,
            postingUntil: null,
            nextAt: nextAttemptAt(notice.createdAt, notice.attempts, worker.now()),
          },
  })
}

/** null: the receiver has it. */
async function failureOf(
  { db, ports }: SystemContext,
  notice: AlarmNotice,
  { webhookUrl, webhookSecret }: Operator,
): Promise<string | null> {
  const alarm = await db.alarm.findUnique({ where: { id: notice.alarmId } })
  if (!alarm) return null
  const body = JSON.stringify({
    type: notice.change === 'OPENED' ? 'alarm.opened' : 'alarm.resolved',
    id: notice.id,
    organization_id: notice.organizationId,
    timestamp: notice.createdAt,
    data: alarmEventOf(alarm, notice.endedAt),
  })
  const signed = headersSignedWith([webhookSecret], notice.id, realNow(), body)
  const headers = { 'content-type': 'application/json', 'user-agent': 'Vitrine-Webhooks/1', ...signed }
  try {
    const { status } = await ports.poster.post(webhookUrl, {
      headers,
      body,
      timeoutMs: RESPONSE_TIMEOUT_SECONDS * 1000,
    })
    return status >= 200 && status < 300 ? null : `The receiver answered ${status}.`
  } catch (error) {
    return (error as Error).message.slice(0, 1000)
  }
}
