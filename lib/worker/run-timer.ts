import { setTimeout as wait } from 'node:timers/promises'
import type { Lease } from '../db/leases.ts'
import { type Leadership, STAND_BY_MS } from './leadership.ts'
import type { Look } from './look.ts'
import { loop } from './loop.ts'

/** What time alone triggers. A step gives the pause until the next one in milliseconds. */
export type Timer = {
  name: string
  /** Done by each process before its first step. */
  prepare?: () => Promise<void>
  stuckSeconds?: number
  /** While no row of this kind is due (due-kinds.ts), its pauses last until one is, or for so long. */
  rest?: Rest
} & (Shared | Leased)
type Rest = { kind: string; seconds: number }
/** Every worker does it. */
type Shared = { shared: true; step: () => Promise<number> }
/** One worker at a time does it. `standBy` is called while another one does. */
type Leased = { shared?: never; step: (lease: Lease) => Promise<number>; standBy?: () => void }

type Watching = Pick<Look, 'isDue' | 'untilDue'>

/**
 * Runs a timer while this worker runs. Each runs by itself: one that fails doesn't delay the others. Without a look it
 * never rests.
 */
export function runTimer(timer: Timer, leadership: Leadership, signal: AbortSignal, look?: Watching): Promise<void> {
  const { name, prepare, stuckSeconds, rest } = timer
  let isPrepared = !prepare
  let standsBy = false
  const step = async () => {
    if (!isPrepared) await prepare?.()
    isPrepared = true
    if (timer.shared) return timer.step()
    const lease = standsBy && (await leadership.isOthers(name)) ? null : await leadership.take(name)
    standsBy = lease === null
    if (lease) return timer.step(lease)
    timer.standBy?.()
    return STAND_BY_MS
  }
  const pause = async (ms: number) => {
    if (rest && look && !standsBy && !look.isDue(rest.kind))
      return look.untilDue(rest.kind, Math.max(ms, rest.seconds * 1000), signal)
    await wait(ms, undefined, { signal }).catch(() => undefined)
  }
  return loop(name, signal, step, { pause, ...(stuckSeconds && { stuckSeconds }) })
}
