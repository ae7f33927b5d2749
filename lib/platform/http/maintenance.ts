import type { ModelsContext } from '../auth/context.ts'
import { maintenanceContext } from '../auth/narrow-contexts.ts'
import { AppError } from '../../core/errors.ts'
import { oncePerProcess } from '../../core/once-per-process.ts'

/** How long a process relies on what it read: it learns of a change within this time. */
const KNOWN_MS = 1_000
const RETRY_SECONDS = 30

/** The answer that this process read last. `untilMs` is by a clock that isn't set. */
type Known = { since: Promise<Date | null>; untilMs: number }
const shared = oncePerProcess<{ known?: Known | undefined }>('maintenance', () => ({}))

/** Since when the installation is in maintenance, or null: reads go on, and nothing is written. */
export async function maintenanceSince(asking?: ModelsContext<'maintenance'>): Promise<Date | null> {
  const known = shared.known
  if (known && performance.now() < known.untilMs) return known.since
  // Requests that come meanwhile wait for this one answer.
  const { maintenance } = (asking ?? maintenanceContext()).db
  const since = maintenance.findUnique({ where: { id: 1 } }).then((row) => row?.since ?? null)
  const reading = { since, untilMs: performance.now() + KNOWN_MS }
  shared.known = reading
  try {
    return await since
  } catch (error) {
    if (shared.known === reading) shared.known = undefined
    throw error
  }
}

/** Begins or ends maintenance. Repeating it changes nothing. */
export async function setMaintenance(worker: ModelsContext<'maintenance'>, isOn: boolean): Promise<void> {
  if (isOn) await worker.db.maintenance.createMany({ data: [{ id: 1, since: worker.now() }], skipDuplicates: true })
  else await worker.db.maintenance.deleteMany({})
  shared.known = undefined
}

/** The error, with Retry-After, for what would write while the installation is in maintenance; null when it isn't. */
export const maintenanceRefusal = async (): Promise<AppError | null> =>
  (await maintenanceSince())
    ? new AppError('maintenance', 'We are doing maintenance. Nothing was changed. Try again in a few minutes.', {
        retryAfterSeconds: RETRY_SECONDS,
      })
    : null

/** Throws that error. */
export async function assertNoMaintenance(): Promise<void> {
  const refusal = await maintenanceRefusal()
  if (refusal) throw refusal
}
