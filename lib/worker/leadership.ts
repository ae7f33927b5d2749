import { crashPoint } from '../core/crash.ts'
import { log } from '../core/log.ts'
import { findHeldByOthers, type Lease, LEASE_SECONDS, releaseLeases, renewLeases, takeLease } from '../db/leases.ts'
import { loop } from './loop.ts'

/**
 * Tasks that only one process does at a time. The others stand by and take over when the holder stops renewing its
 * leases.
 */
export type Leadership = {
  /**
   * The lease of a task that this process does now, for the context that does it; takes the task when no other process
   * has it. The same object as long as the task was held without interruption. null: another process does it; ask again
   * after STAND_BY_MS.
   */
  take(task: string): Promise<Lease | null>
  /** Whether another process had this task a moment ago: who stands by for many tasks asks of all in one statement. */
  isOthers(task: string): Promise<boolean>
  /** Gives all tasks back. */
  close(): Promise<void>
}

/** How often a process that stands by asks for a task. */
export const STAND_BY_MS = 1_000
const RENEW_MS = 2_000

/**
 * A lease, and until when this process may rely on it without asking: by a clock that runs on while the process is
 * stopped.
 */
type Held = { lease: Lease; untilMs: number }

/** @param holder the id of this process. */
export function openLeadership(holder: string): Leadership {
  const held = new Map<string, Held>()
  const ending = new AbortController()

  const renew = async (): Promise<void> => {
    const before = [...held.values()]
    if (before.length === 0) return
    const untilMs = performance.now() + LEASE_SECONDS * 1000
    const renewed = await renewLeases(before.map(({ lease }) => lease))
    for (const entry of before) {
      const { task, token } = entry.lease
      if (renewed.some((lease) => lease.task === task && lease.token === token)) entry.untilMs = untilMs
      else if (held.get(task) === entry) {
        held.delete(task)
        log.info({ task }, 'Another worker does this task now.')
      }
    }
  }
  const renewing = loop(
    'renew leases',
    ending.signal,
    async () => {
      await renew()
      return RENEW_MS
    },
    { inMaintenance: true },
  )

  let known: { tasks: Promise<ReadonlySet<string>>; untilMs: number } | null = null
  const heldByOthers = (): Promise<ReadonlySet<string>> => {
    if (!known || performance.now() >= known.untilMs)
      known = { tasks: findHeldByOthers(holder), untilMs: performance.now() + STAND_BY_MS / 2 }
    return known.tasks
  }

  return {
    isOthers: async (task) => (await heldByOthers()).has(task),
    async take(task) {
      const own = held.get(task)
      if (own && performance.now() < own.untilMs) return own.lease
      const untilMs = performance.now() + LEASE_SECONDS * 1000
      const lease = await takeLease(task, holder)
      // Without it, a lease that this process knows may still be its own: the next renewal tells.
      if (lease) held.set(task, { lease, untilMs })
      if (lease) crashPoint('lease_taken')
      return lease
    },
    async close() {
      ending.abort()
      await renewing
      await releaseLeases(holder).catch((error: unknown) =>
        log.warn({ error }, 'The leases were not released; others take them over when they have expired.'),
      )
    },
  }
}
