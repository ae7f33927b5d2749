import { setTimeout as wait } from 'node:timers/promises'
import type { DueWork } from '../platform/jobs/due-work.ts'
import type { InstallationKind } from './due-kinds.ts'
import type { Look } from './look.ts'
import { loop } from './loop.ts'

/** Where rows are due that can't be leased at the moment. */
const WAITING_MS = 500
/** While none is due by the look. */
const REST_MS = 60_000
/** Between two leases, so that one takes the place of all work that ended meanwhile. */
const PAUSE_MS = 25
/** How long work that was begun may take when the worker stops. What takes longer is done again by the next worker. */
const SHUTDOWN_MS = 5_000

/**
 * Does what is due while this worker runs. Any number of workers may do so at the same time. `name`: the kind of its
 * rows, too (due-kinds.ts).
 */
export async function doDueWork(
  name: InstallationKind,
  work: DueWork,
  { look, signal }: { look: Look; signal: AbortSignal },
): Promise<void> {
  const pause = async (ms: number) => {
    if (ms === PAUSE_MS) return void (await wait(ms))
    const ended = new AbortController()
    const either = AbortSignal.any([signal, ended.signal])
    const due = look.isDue(name)
      ? wait(WAITING_MS, undefined, { signal: either }).catch(() => undefined)
      : look.untilDue(name, REST_MS, either)
    await Promise.race([work.next(), due])
    ended.abort()
  }
  await loop(name, signal, async () => ((await work.begin()) > 0 ? PAUSE_MS : WAITING_MS), { pause })
  await Promise.race([work.idle(), wait(SHUTDOWN_MS, undefined, { ref: false })])
}
