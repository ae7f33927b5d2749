import { secondsFrom } from '../../core/clock.ts'
import { rowFailed, rowSucceeded } from '../../records/alarms/on-row-stuck.ts'
import { type AnyContext, inTransaction, within, type SystemContext } from '../auth/context.ts'

const FIRST_PAUSE_SECONDS = 5
const LONGEST_PAUSE_SECONDS = 3600

/** The pause after this many failed tries: it doubles up to an hour. */
export const pauseSeconds = (attempts: number): number =>
  Math.min(LONGEST_PAUSE_SECONDS, FIRST_PAUSE_SECONDS * 2 ** Math.min(attempts - 1, 20))

/**
 * Names the tasks in the records of failed rows and in alarms. lib/data/retention/end-tries.ts says until when a row
 * concerns each of them.
 */
export type TaskKind =
  | 'send transaction'
  | 'watch transaction'
  | 'make transaction final'
  | 'expire vouchers'
  | 'expire transfers'
  | 'match claim'
  | 'decide unmatched mint'
  | 'decide arrival'
  | 'match escrow'
  | 'start and end listings'
  | 'expire claims'
  | 'lift locks'
  | 'remind claims'
  | 'return unopened'
  | 'settle escrows'
  | 'finish deletions'
  | 'wipe old mail'
  | 'take snapshots'
  | 'cancel old import'
  | 'run imports'
  | 'continue purchases'
  | 'expire purchases'
  | 'reconcile open payments'
  | 'refund payments'
  | 'process card events'
  | 'reconcile paid payments'
  | 'reconcile lost payments'
  | 'read card accounts'
  | 'list card payments'
  | 'check web domains'
  | 'mark metadata'
  | 'adopt tokens'

type Row = { id: string; organizationId: string | null }
type Tries = { attempts: number; nextTryAt: Date }

/** The earlier failures of these rows, by id. */
export async function triesOf(
  worker: SystemContext,
  kind: TaskKind,
  rows: readonly Row[],
): Promise<ReadonlyMap<string, Tries>> {
  if (rows.length === 0) return new Map()
  const failed = await worker.db.rowTry.findMany({ where: { kind, rowId: { in: rows.map(({ id }) => id) } } })
  return new Map(failed.map(({ rowId, attempts, nextTryAt }) => [rowId, { attempts, nextTryAt }]))
}

/** Records a failed try: the row waits for its next one, and after some an alarm is raised. */
export const recordFailure = (
  worker: SystemContext,
  kind: TaskKind,
  { id, organizationId }: Row,
  { earlier, error }: { earlier: number; error: unknown },
): Promise<void> =>
  inTransaction(worker, async (tx) => {
    const attempts = earlier + 1
    const lastError = error instanceof Error ? error.message : String(error)
    const change = { attempts, lastError, nextTryAt: secondsFrom(tx.now(), pauseSeconds(attempts)) }
    await tx.db.rowTry.upsert({
      where: { kind_rowId: { kind, rowId: id } },
      create: { kind, rowId: id, organizationId, createdAt: tx.now(), ...change },
      update: change,
    })
    await inItsScope(tx, organizationId, (own) => rowFailed(own, kind, id, { attempts, lastError }))
  })

/** The row was processed, or there is nothing to do for it any more. */
export const recordSuccess = (
  worker: SystemContext,
  kind: TaskKind,
  { id, organizationId }: Row,
  attempts: number,
): Promise<void> =>
  inTransaction(worker, async (tx) => {
    await tx.db.rowTry.deleteMany({ where: { kind, rowId: id } })
    await inItsScope(tx, organizationId, (own) => rowSucceeded(own, kind, id, attempts))
  })

const inItsScope = (
  tx: SystemContext,
  organizationId: string | null,
  work: (ctx: AnyContext) => Promise<void>,
): Promise<void> => (organizationId === null ? work(tx) : within(tx, organizationId, work))
