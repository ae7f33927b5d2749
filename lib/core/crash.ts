import { env } from './env.ts'
import { oncePerProcess } from './once-per-process.ts'

/** Places at which a process may die without losing or doubling anything. Fault tests kill it there. */
export type CrashPoint =
  | 'before_signing'
  | 'after_storing'
  | 'after_broadcasting'
  | 'after_mining'
  | 'units_held'
  | 'before_fulfilling'
  | 'payment_created'
  | 'event_received'
  | 'refund_created'
  | 'alarm_posted'
  | 'lines_done'
  | 'lines_settled'
  | 'webhook_posted'

const shared = oncePerProcess('crash point', () => ({ hasStopped: false }))

/**
 * Kills this process with SIGKILL when the setting CRASH_AT names this point. When STOP_AT names it, the process stops there with
 * SIGSTOP, the first time only, until somebody sends SIGCONT.
 */
export function crashPoint(name: CrashPoint): void {
  if (env.CRASH_AT === name) process.kill(process.pid, 'SIGKILL')
  if (env.STOP_AT !== name || shared.hasStopped) return
  shared.hasStopped = true
  process.kill(process.pid, 'SIGSTOP')
}
