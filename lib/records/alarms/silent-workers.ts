import { Prisma } from '../../../generated/prisma/client.ts'
import { DAY } from '../../core/clock.ts'
import type { Reach } from '../../db/scope.ts'
import type { SystemContext } from '../../platform/auth/context.ts'
import { raiseAlarm } from './raise-alarm.ts'

/** A running worker is seen every two seconds. */
const SILENT_SECONDS = 15
/** Workers that ended are forgotten after this long. */
const KEPT_DAYS = 1

export type SeenWorker = { id: string; seenAt: Date; secondsAgo: number; isRunning: boolean; isSilent: boolean }
/** `isAlarmed`: an alarm about some worker is open. */
type WatchedWorker = SeenWorker & { isAlarmed: boolean }

/**
 * The workers of the last day, the one seen last first. Running is one that was seen lately and didn't stop; silent is
 * one that neither stopped nor was seen lately, unless another worker started after it was last seen and so replaces
 * it. All times are PostgreSQL's.
 */
export const listWorkers = ({ sql }: Pick<Reach, 'sql'>): Promise<SeenWorker[]> => sql<SeenWorker>(WORKERS)

const workersWith = (more: Prisma.Sql): Prisma.Sql => Prisma.sql`
    SELECT id, seen_at AS "seenAt", greatest(0, extract(epoch FROM clock_timestamp() - seen_at))::int AS "secondsAgo",
      stopped_at IS NULL AND seen_at >= clock_timestamp() - make_interval(secs => ${SILENT_SECONDS}) AS "isRunning",
      stopped_at IS NULL AND seen_at < clock_timestamp() - make_interval(secs => ${SILENT_SECONDS})
        AND NOT EXISTS (SELECT 1 FROM workers later WHERE later.started_at > w.seen_at) AS "isSilent"${more}
    FROM workers w ORDER BY seen_at DESC`
const WORKERS = workersWith(Prisma.empty)
const WATCHED = workersWith(Prisma.sql`, EXISTS (
  SELECT 1 FROM alarms WHERE kind = 'worker_silent' AND resolved_at IS NULL) AS "isAlarmed"`)

/**
 * Raises an alarm for each silent worker, once, and resolves those of workers that run again, stopped or were replaced.
 * While all is well it is one statement.
 */
export async function alarmSilentWorkers(worker: SystemContext): Promise<void> {
  const workers = await worker.sql<WatchedWorker>(WATCHED)
  const silent = workers.filter(({ isSilent }) => isSilent)
  for (const { id, seenAt } of silent)
    await raiseAlarm(
      worker,
      'worker_silent',
      id,
      `A worker has not been seen since ${seenAt.toISOString()}: it hangs, was killed, or can’t reach the database. ` +
        'Other workers take its tasks over; without one, nothing is sent or read from a chain. Start it again.',
    )
  if (workers.length === 0 || workers.some(({ isAlarmed }) => isAlarmed))
    await worker.db.alarm.updateMany({
      where: { kind: 'worker_silent', resolvedAt: null, subject: { notIn: silent.map(({ id }) => id) } },
      data: { resolvedAt: worker.now() },
    })
  if (workers.some(({ secondsAgo }) => secondsAgo > KEPT_DAYS * DAY)) await forgetOld(worker)
}

async function forgetOld(worker: SystemContext): Promise<void> {
  await worker.sql(Prisma.sql`
    DELETE FROM workers w WHERE seen_at < clock_timestamp() - make_interval(days => ${KEPT_DAYS})
      AND (stopped_at IS NOT NULL OR EXISTS (SELECT 1 FROM workers later WHERE later.started_at > w.seen_at))`)
}
