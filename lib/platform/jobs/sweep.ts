import { log } from '../../core/log.ts'
import { isDatabaseDown, isLeaseLost } from '../../db/errors.ts'
import { type Context, within, type WorkerContext } from '../auth/context.ts'

/** A row that waits for the worker, and whose it is. */
export type DueRow = { id: string; organizationId: string }

/**
 * Runs `work` for each row in the context of its organization, `concurrency` at a time. A row that fails is logged with
 * `failure` and left for the next sweep; the others go on. A database that is down, or a lost lease, ends the sweep. Returns for how many rows
 * `work` did something, that is, didn't return false.
 */
export async function sweep<Row extends DueRow>(
  worker: WorkerContext,
  rows: readonly Row[],
  failure: string,
  work: (ctx: Context, row: Row) => Promise<unknown>,
  { concurrency = 1, ignore = () => false }: { concurrency?: number; ignore?: (error: unknown) => boolean } = {},
): Promise<number> {
  let done = 0
  const attempt = async (row: Row) => {
    try {
      if ((await within(worker, row.organizationId, (ctx) => work(ctx, row))) !== false) done++
    } catch (error) {
      if (isDatabaseDown(error) || isLeaseLost(error)) throw error
      if (!ignore(error)) log.error({ error, id: row.id }, failure)
    }
  }
  for (let at = 0; at < rows.length; at += concurrency) await Promise.all(rows.slice(at, at + concurrency).map(attempt))
  return done
}
