import os from 'node:os'
import { Prisma } from '../../generated/prisma/client.ts'
import { realNow } from '../core/clock.ts'
import { newId } from '../core/id.ts'
import { log } from '../core/log.ts'
import { measureClock } from '../db/measure-clock.ts'
import { systemContext } from '../platform/auth/authenticate.ts'
import type { SystemContext } from '../platform/auth/context.ts'
import { alarmApartClocks, APART_MS } from '../records/alarms/apart-clocks.ts'
import { loop } from './loop.ts'

const MEASURE_MS = 5_000
/** A difference that stays as it was is recorded this often, as a sign that its process runs. */
const RECORD_MS = 60_000
const CHANGED_MS = 1_000

/**
 * Keeps this process on PostgreSQL's time, records how far its host's clock is from it, and has those that are apart
 * noticed.
 */
export function followClock(signal: AbortSignal): Promise<void> {
  const id = newId()
  let recorded: { aheadMs: number; atMs: number } | null = null
  const step = async () => {
    const { aheadMs, errorMs } = await measureClock()
    const worker = systemContext('clock')
    // An answer that took long says less than what was recorded before.
    if (errorMs < CHANGED_MS && isNews(recorded, aheadMs)) {
      const wasApart = recorded !== null && Math.abs(recorded.aheadMs) > APART_MS
      await record(worker, id, aheadMs)
      recorded = { aheadMs, atMs: performance.now() }
      if (!wasApart && Math.abs(aheadMs) > APART_MS) say(aheadMs)
    }
    await alarmApartClocks(worker)
    return MEASURE_MS
  }
  return loop('follow the clock', signal, step, { inMaintenance: true })
}

const isNews = (recorded: { aheadMs: number; atMs: number } | null, aheadMs: number): boolean =>
  recorded === null ||
  Math.abs(aheadMs - recorded.aheadMs) > CHANGED_MS ||
  performance.now() - recorded.atMs >= RECORD_MS

async function record(worker: SystemContext, id: string, aheadMs: number): Promise<void> {
  await worker.sql(Prisma.sql`
    INSERT INTO process_clocks (id, host, ahead_ms, measured_at)
    VALUES (${id}::uuid, ${os.hostname()}, ${aheadMs}, clock_timestamp())
    ON CONFLICT (id) DO UPDATE SET ahead_ms = excluded.ahead_ms, measured_at = excluded.measured_at`)
}

function say(aheadMs: number): void {
  const own = new Date(realNow().getTime() + aheadMs).toISOString()
  log.error(
    { host: os.hostname(), own, postgresql: realNow().toISOString(), aheadMs },
    'The clock of this host is apart from PostgreSQL’s. Work goes on by PostgreSQL’s time.',
  )
}
