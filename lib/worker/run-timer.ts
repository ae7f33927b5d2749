import type { Lease } from '../db/leases.ts'
import { type Leadership, STAND_BY_MS } from './leadership.ts'
import { loop } from './loop.ts'

/** What time alone triggers. A step gives the pause until the next one in milliseconds. */
export type Timer = {
  name: string
  /** Done by each process before its first step. */
  prepare?: () => Promise<void>
  stuckSeconds?: number
} & (Shared | Leased)
/** Every worker does it. */
type Shared = { shared: true; step: () => Promise<number> }
/** One worker at a time does it. `standBy` is called while another one does. */
type Leased = { shared?: never; step: (lease: Lease) => Promise<number>; standBy?: () => void }

/** Runs a timer while this worker runs. Each runs by itself: one that fails doesn't delay the others. */
export function runTimer(timer: Timer, leadership: Leadership, signal: AbortSignal): Promise<void> {
  const { name, prepare, stuckSeconds } = timer
  let isPrepared = !prepare
  const step = async () => {
    if (!isPrepared) await prepare?.()
    isPrepared = true
    if (timer.shared) return timer.step()
    const lease = await leadership.take(name)
    if (lease) return timer.step(lease)
    timer.standBy?.()
    return STAND_BY_MS
  }
  return loop(name, signal, step, { ...(stuckSeconds && { stuckSeconds }) })
}
