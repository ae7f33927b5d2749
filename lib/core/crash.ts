import { env } from './env.ts'

/** Places at which a process must be able to die without a trace on what it does. Fault tests kill it there. */
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
  | 'lines_done'
  | 'lines_settled'
  | 'webhook_posted'

/** Dies like a machine that lost its power, when the settings ask for it. */
export function crashPoint(name: CrashPoint): void {
  if (env.CRASH_AT === name) process.kill(process.pid, 'SIGKILL')
}
