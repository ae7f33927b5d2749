import type { SystemContext } from '../../platform/auth/context.ts'
import { type AnyDueRow, sweepAny, type Task } from '../../platform/jobs/sweep.ts'
import { ChainUnavailable } from '../../ports/chain/chain.ts'

/**
 * Runs `work` for each row; one that fails is tried again later and holds up no other. A network that doesn't answer is
 * no row's fault: it ends the sweep, and throws ChainUnavailable.
 */
export async function sweepOnChain<Row extends AnyDueRow>(
  worker: SystemContext,
  task: Task,
  rows: readonly Row[],
  work: (row: Row) => Promise<void>,
  { concurrency = 1 }: { concurrency?: number } = {},
): Promise<void> {
  let unavailable: ChainUnavailable | undefined
  await sweepAny(
    worker,
    task,
    rows,
    async (row) => {
      if (unavailable) throw unavailable
      await work(row)
    },
    {
      concurrency,
      ignore: (error) => {
        if (!(error instanceof ChainUnavailable)) return false
        unavailable = error
        return true
      },
    },
  )
  if (unavailable) throw unavailable
}
