import { setTimeout as wait } from 'node:timers/promises'
import { log } from '../core/log.ts'
import { MINUTE } from '../core/clock.ts'
import { isLeaseLost } from '../db/errors.ts'
import { logFailing, logWorking } from '../db/log-failing.ts'
import { maintenanceSince } from '../platform/http/maintenance.ts'
import { watchSteps } from './stuck-loops.ts'

const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 5_000
/** A step waits for databases and nodes, each of which has a time limit. */
const STUCK_SECONDS = 10 * MINUTE

const MAINTENANCE_MS = 1_000

type Options = {
  /** It goes on in maintenance: it writes only that a process runs, or what it holds. */
  inMaintenance?: boolean
  stuckSeconds?: number
  /** In place of a plain pause after a step that succeeded. It ends soon after the signal is aborted. */
  pause?: (ms: number) => Promise<void>
}

/**
 * Repeats a step until the signal; the step returns how many milliseconds to pause. An error is logged
 * (log-failing.ts), and the pauses grow with every further one, so a database or node may be away for a while. A step
 * whose task another process took over is no error. In maintenance no step begins. With a step that takes longer than
 * `stuckSeconds` the worker doesn't count as live (serve-health.ts).
 */
export async function loop(
  name: string,
  signal: AbortSignal,
  step: () => Promise<number>,
  { inMaintenance = false, stuckSeconds = STUCK_SECONDS, pause }: Options = {},
): Promise<void> {
  const wholePause = (ms: number) => wait(ms, undefined, { signal }).catch(() => undefined)
  const steps = watchSteps(name, stuckSeconds)
  const next = async () => (!inMaintenance && (await maintenanceSince()) ? MAINTENANCE_MS : step())
  for (let failures = 0; !signal.aborted;) {
    steps.begin()
    const pauseMs = await next().then(
      (ms) => {
        if (failures > 0) logWorking(name)
        failures = 0
        return ms
      },
      (error: unknown) => {
        if (isLeaseLost(error)) {
          log.info({ name }, 'Another worker has taken this task over; the step was not finished.')
          return FIRST_PAUSE_MS
        }
        logFailing(name, error, 'A step of the worker failed; it is tried again.')
        return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures++)
      },
    )
    steps.end()
    if (pauseMs > 0) await (failures === 0 && pause ? pause(pauseMs) : wholePause(pauseMs))
  }
}
