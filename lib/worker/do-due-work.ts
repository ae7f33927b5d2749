import { setTimeout as wait } from 'node:timers/promises'
import type { DueWork } from '../platform/jobs/due-work.ts'
import { loop } from './loop.ts'

const IDLE_MS = 500
/** Between two leases, so that one takes the place of all work that ended meanwhile. */
const PAUSE_MS = 25
/** How long work that was begun may take when the worker stops. What takes longer is done again by the next worker. */
const SHUTDOWN_MS = 5_000

/** Does what is due while this worker runs. Any number of workers may do so at the same time. */
export async function doDueWork(name: string, work: DueWork, signal: AbortSignal): Promise<void> {
  await loop(name, signal, async () => {
    if ((await work.begin()) > 0) return PAUSE_MS
    await work.next(IDLE_MS)
    return 0
  })
  await Promise.race([work.idle(), wait(SHUTDOWN_MS, undefined, { ref: false })])
}
