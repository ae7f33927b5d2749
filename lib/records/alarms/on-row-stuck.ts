import type { AnyContext } from '../../platform/auth/context.ts'
import { raiseAlarm, resolveAlarm } from './raise-alarm.ts'

/** Failed tries before somebody is told. */
const ALARM_AFTER = 5

type Failure = { attempts: number; lastError: string }

/**
 * A row that a background task can't process: others go on, and it is tried again with growing pauses. `kind` names the
 * task.
 */
export async function rowFailed(
  ctx: AnyContext,
  kind: string,
  rowId: string,
  { attempts, lastError }: Failure,
): Promise<void> {
  if (attempts < ALARM_AFTER) return
  const detail =
    `A background task (${kind}) has failed ${attempts} times for ${rowId} and is tried again: ` + lastError
  await raiseAlarm(ctx, 'row_stuck', `${kind} ${rowId}`, detail)
}

/** The row was processed after `attempts` failed tries. */
export async function rowSucceeded(ctx: AnyContext, kind: string, rowId: string, attempts: number): Promise<void> {
  if (attempts >= ALARM_AFTER) await resolveAlarm(ctx, 'row_stuck', `${kind} ${rowId}`)
}
