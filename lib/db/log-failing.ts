import { log } from '../core/log.ts'
import { oncePerProcess } from '../core/once-per-process.ts'
import { databaseFaultOf, type DatabaseFault, FAULT_WORDS } from './errors.ts'

/** One line a failure in this time, by a clock that isn't set. */
const LINE_MS = 60_000
const DATABASE = {
  away: 'database',
  disk: 'database disk',
  read_only: 'database writes',
} as const satisfies Record<DatabaseFault, string>

/** `unwritten`: how often it failed since its last line. `isTold`: that line says that it fails. */
type Failing = { writtenMs: number; unwritten: number; isTold: boolean }
const failing = oncePerProcess('what fails', () => new Map<string, Failing>())

/**
 * Logs what fails again and again: the first failure, then at most one line a minute with the count of those that came
 * meanwhile. A fault of the database is one failure, whoever notices it.
 */
export function logFailing(name: string, error: unknown, message: string): void {
  const fault = databaseFaultOf(error)
  const key = fault ? DATABASE[fault] : name
  const known = failing.get(key)
  const nowMs = performance.now()
  if (known && nowMs - known.writtenMs < LINE_MS) return void known.unwritten++
  log.error(
    { error, name, ...(known && known.unwritten > 0 && { unwritten: known.unwritten }) },
    fault ? lineOf(fault) : message,
  )
  failing.set(key, { writtenMs: nowMs, unwritten: 0, isTold: true })
}

function lineOf(fault: DatabaseFault): string {
  const { what, toDo } = FAULT_WORDS[fault]
  return `${what}${fault === 'away' ? '' : `: ${toDo.slice(0, -1)}`}. What needs it is tried again.`
}

/** Says once that it works again what was last said to fail: `name`, and with it the database, which `name` needed. */
export function logWorking(name: string): void {
  for (const key of [...Object.values(DATABASE), name]) {
    const known = failing.get(key)
    if (!known?.isTold) continue
    log.info({ name: key, unwritten: known.unwritten }, 'It works again.')
    Object.assign(known, { isTold: false, unwritten: 0 })
  }
}
