import { log } from '../core/log.ts'
import { oncePerProcess } from '../core/once-per-process.ts'
import { isDatabaseDown } from './errors.ts'

/** One line a failure in this time, by a clock that isn't set. */
const LINE_MS = 60_000
const DATABASE = 'database'

/** `unwritten`: how often it failed since its last line. `isTold`: that line says that it fails. */
type Failing = { writtenMs: number; unwritten: number; isTold: boolean }
const failing = oncePerProcess('what fails', () => new Map<string, Failing>())

/**
 * Logs what fails again and again: the first failure, then at most one line a minute with the count of those that came meanwhile. A database
 * that is away is one failure, whoever notices it.
 */
export function logFailing(name: string, error: unknown, message: string): void {
  const isDown = isDatabaseDown(error)
  const key = isDown ? DATABASE : name
  const known = failing.get(key)
  const nowMs = performance.now()
  if (known && nowMs - known.writtenMs < LINE_MS) return void known.unwritten++
  log.error(
    { error, name, ...(known && known.unwritten > 0 && { unwritten: known.unwritten }) },
    isDown ? 'The database can’t be reached. What needs it is tried again.' : message,
  )
  failing.set(key, { writtenMs: nowMs, unwritten: 0, isTold: true })
}

/** Says once that it works again what was last said to fail: `name`, and with it the database, which `name` needed. */
export function logWorking(name: string): void {
  for (const key of [DATABASE, name]) {
    const known = failing.get(key)
    if (!known?.isTold) continue
    log.info({ name: key, unwritten: known.unwritten }, 'It works again.')
    Object.assign(known, { isTold: false, unwritten: 0 })
  }
}
