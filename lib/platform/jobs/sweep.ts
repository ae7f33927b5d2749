import { crashPoint } from '../../core/crash.ts'
import { log } from '../../core/log.ts'
import { isDatabaseDown, isLeaseLost } from '../../db/errors.ts'
import { type Context, within, type SystemContext } from '../auth/context.ts'
import { recordFailure, recordSuccess, type TaskKind, triesOf } from './row-tries.ts'

/** A row that waits for the worker, and whose it is. */
export type DueRow = { id: string; organizationId: string }
/** One that may belong to the whole installation. */
export type AnyDueRow = { id: string; organizationId: string | null }

export type Task = {
  kind: TaskKind
  /** The message of the log line about a row that failed. */
  failure: string
}

type Options = { concurrency?: number; ignore?: (error: unknown) => boolean; requestId?: (row: AnyDueRow) => string }

/** Where to begin in the order of all due rows, and how many to read. */
export type Range = { skip: number; take: number }

/**
 * The first `batch` due rows that aren't waiting for their next try. Rows that failed before take at most half of the
 * places while others are due. `find` reads a range of all due rows, in a fixed order.
 */
export async function findReady<Row extends AnyDueRow>(
  worker: SystemContext,
  { kind }: Pick<Task, 'kind'>,
  batch: number,
  find: (range: Range) => Promise<Row[]>,
): Promise<Row[]> {
  const fresh: Row[] = []
  const failed: Row[] = []
  for (let skip = 0; fresh.length < batch; skip += batch) {
    const rows = await find({ skip, take: batch })
    const tries = await triesOf(worker, kind, rows)
    for (const row of rows) {
      const { nextTryAt } = tries.get(row.id) ?? {}
      if (!nextTryAt) fresh.push(row)
      else if (nextTryAt <= worker.now()) failed.push(row)
    }
    if (rows.length < batch) break
  }
  const again = failed.slice(0, Math.max(batch - fresh.length, Math.floor(batch / 2)))
  return [...fresh.slice(0, batch - again.length), ...again]
}

/**
 * Runs `work` for each row in the context of its organization, `concurrency` at a time. A row that fails is logged and
 * tried again later, with growing pauses and, after some tries, an alarm; the others go on. A database that is down, or
 * a lost lease, ends the sweep. An error that `ignore` names isn't the row's fault and counts as no try. Returns for
 * how many rows `work` did something, that is, didn't return false.
 */
export const sweep = <Row extends DueRow>(
  worker: SystemContext,
  task: Task,
  rows: readonly Row[],
  work: (ctx: Context, row: Row) => Promise<unknown>,
  options: Options = {},
): Promise<number> =>
  sweepAny(
    worker,
    task,
    rows,
    (row) => within(worker, row.organizationId, (ctx) => work(ctx, row), options.requestId?.(row)),
    options,
  )

/** Works on due rows as `sweep` does, for rows that need the worker's own context. */
export async function sweepAny<Row extends AnyDueRow>(
  worker: SystemContext,
  { kind, failure }: Task,
  rows: readonly Row[],
  work: (row: Row) => Promise<unknown>,
  { concurrency = 1, ignore = () => false }: Options = {},
): Promise<number> {
  const tries = await triesOf(worker, kind, rows)
  let done = 0
  const attempt = async (row: Row) => {
    const { attempts = 0, nextTryAt = worker.now() } = tries.get(row.id) ?? {}
    if (nextTryAt > worker.now()) return
    try {
      if ((await work(row)) !== false) done++
      crashPoint('row_done')
      if (attempts > 0) await recordSuccess(worker, kind, row, attempts)
    } catch (error) {
      if (isDatabaseDown(error) || isLeaseLost(error)) throw error
      if (ignore(error)) return
      log.error({ error, id: row.id }, failure)
      await recordFailure(worker, kind, row, { earlier: attempts, error })
    }
  }
  for (let at = 0; at < rows.length; at += concurrency) await Promise.all(rows.slice(at, at + concurrency).map(attempt))
  return done
}
