import { type Import, Prisma } from '../../../generated/prisma/client.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { type Context, inTransaction, type SystemContext } from '../../platform/auth/context.ts'
import { asAppError } from '../../platform/http/problem.ts'
import { crashPoint } from '../../core/crash.ts'
import { AppError } from '../../core/errors.ts'
import { log } from '../../core/log.ts'
import { oncePerProcess } from '../../core/once-per-process.ts'
import { limitBytes } from '../../db/limit-bytes.ts'
import { isDatabaseDown, isLeaseLost, isSuspensionRefused, isTransactionConflict } from '../../db/errors.ts'
import { type DueRow, sweep } from '../../platform/jobs/sweep.ts'
import { IMPORT_CHECK_MS } from './check-items.ts'
import { importClaimLines } from './import-claim-lines.ts'
import { importItemLines } from './import-item-lines.ts'
import type { Line, Outcome } from './outcome.ts'

/** Lines per transaction: their effects and their DONE states are committed together. */
const LINES_PER_BATCH = 200
/** Batches per import in one round, so that a long file doesn't delay a short one. */
const MAX_BATCHES_PER_IMPORT = 20
/** Processor time of slow checks of one import in one round, so that the imports of others have their turn. */
const ROUND_CHECK_MS = 1_000

/** The rest of each import's time for slow checks, since this process began. */
const checkBudgets = oncePerProcess('check budgets of imports', () => new Map<string, { ms: number }>())
type Work = { id: string; budget: { ms: number } }

const TASK = { kind: 'run imports', failure: 'An import could not be continued; it is tried again.' } as const

/**
 * Continues every running import. One that would make claims of what is suspended waits. Returns how many lines were
 * processed.
 */
export async function runImports(worker: SystemContext): Promise<number> {
  const running = await worker.sql<DueRow>(Prisma.sql`
    SELECT id::text, organization_id::text AS "organizationId" FROM imports
    WHERE state = 'RUNNING' ORDER BY started_at`)
  let lines = 0
  const continueImport = async (ctx: Context, { id }: { id: string }) => {
    const budget = checkBudgets.get(id) ?? { ms: IMPORT_CHECK_MS }
    checkBudgets.set(id, budget)
    const least = budget.ms - ROUND_CHECK_MS
    for (let round = 0; round < MAX_BATCHES_PER_IMPORT && budget.ms >= least; round++) {
      const count = await runLines(ctx, { id, budget }, LINES_PER_BATCH)
      if (count === 0) {
        checkBudgets.delete(id)
        break
      }
      crashPoint('lines_settled')
      lines += count
    }
  }
  await sweep(worker, TASK, running, continueImport, {
    requestId: ({ id }) => `import-${id}`,
    ignore: isSuspensionRefused,
  })
  return lines
}

/**
 * Imports up to `max` lines, fewer where they are large. A batch that fails is repeated in halves, down to the faulty
 * line, which fails alone, or to the one that exceeds a quota, which waits. Returns how many lines were processed.
 */
async function runLines(ctx: Context, work: Work, max: number): Promise<number> {
  const progress = { line: 0 }
  try {
    return await importLines(ctx, work, max, progress)
  } catch (error) {
    // A quota may leave room for some of the lines.
    const isTooMany = isOverQuota(error) && max > 1
    if ((isTemporary(error) && !isTooMany) || progress.line === 0) throw error
    if (max === 1) return failLine(ctx, work.id, progress.line, error)
  }
  const half = Math.ceil(max / 2)
  const first = await runLines(ctx, work, half)
  return first < half ? first : first + (await runLines(ctx, work, max - half))
}

/**
 * Imports the next waiting lines in one transaction. `progress.line` tells the first of them to a caller that sees it
 * fail. Returns 0 when no line is left, or when another process is importing.
 */
const importLines = (
  ctx: Context,
  { id: importId, budget }: Work,
  max: number,
  progress: { line: number },
): Promise<number> =>
  inTransaction(ctx, async (tx) => {
    const work = await lockImport(tx, importId)
    if (!work) return 0
    const rows = await nextLines(tx, importId, max)
    if (rows.length === 0) return completeImport(tx, work)
    progress.line = rows[0]!.line
    const importKind = work.kind === 'ITEMS' ? importItemLines : importClaimLines
    await recordOutcomes(tx, importId, await importKind(tx, work, rows, budget))
    crashPoint('lines_done')
    return rows.length
  })

async function recordOutcomes(tx: Context, importId: string, outcomes: readonly Outcome[]): Promise<void> {
  // The import's id comes with each line, so that each row is found by its key: PostgreSQL knows nothing yet of how
  // many rows it has.
  await tx.sql(Prisma.sql`
    UPDATE import_rows SET state = o.state::"RowState", result_id = o.result_id, failure = o.failure,
      done_at = ${tx.now().toISOString()}::timestamptz
    FROM unnest(${outcomes.map(() => importId)}::uuid[], ${outcomes.map(({ line }) => line)}::int[],
      ${outcomes.map(({ state }) => state)}::text[],
      ${outcomes.map(({ resultId }) => resultId ?? null)}::uuid[],
      ${outcomes.map(({ failure }) => failure ?? null)}::text[]) AS o (import_id, line, state, result_id, failure)
    WHERE import_rows.import_id = o.import_id AND import_rows.line = o.line AND import_rows.state = 'WAITING'`)
  const countOf = (state: Outcome['state']) => outcomes.filter((outcome) => outcome.state === state).length
  await tx.db.import.updateMany({
    where: { id: importId },
    data: { doneCount: { increment: countOf('DONE') }, failedCount: { increment: countOf('FAILED') } },
  })
}

/**
 * The import, locked for this transaction. null while another process imports for the same organization: only one
 * import runs at a time per organization, so that two files with the same person don't both find that nothing was sent
 * yet.
 */
async function lockImport(tx: Context, importId: string): Promise<Import | null> {
  const [turn] = await tx.sql<{ mine: boolean }>(
    Prisma.sql`SELECT
      pg_try_advisory_xact_lock(hashtextextended(${`vitrine imports ${tx.organizationId}`}, 0)) AS mine`,
  )
  if (!turn?.mine) return null
  const [taken] = await tx.sql(
    Prisma.sql`SELECT 1 FROM imports WHERE id = ${importId}::uuid AND state = 'RUNNING' FOR NO KEY UPDATE SKIP LOCKED`,
  )
  return taken ? tx.db.import.findFirst({ where: { id: importId } }) : null
}

const nextLines = (tx: Context, importId: string, max: number): Promise<Line[]> =>
  tx.sql<Line>(
    limitBytes(
      Prisma.sql`SELECT line, fields FROM import_rows WHERE import_id = ${importId}::uuid AND state = 'WAITING'
        ORDER BY line LIMIT ${max}`,
      { json: 'fields', key: 'line', most: max },
    ),
  )

async function completeImport(tx: Context, { id, doneCount, failedCount }: Import): Promise<0> {
  await tx.db.import.updateMany({ where: { id, state: 'RUNNING' }, data: { state: 'COMPLETED', endedAt: tx.now() } })
  await recordAudit(tx, {
    action: 'import.completed',
    subject: { type: 'import', id },
    after: { done: doneCount, failed: failedCount },
  })
  return 0
}

const failLine = (ctx: Context, importId: string, line: number, error: unknown): Promise<number> =>
  inTransaction(ctx, async (tx) => {
    const shown = asAppError(error)
    if (shown.code === 'internal')
      log.error({ error, importId, line }, 'A line of an import failed with an unexpected error.')
    const failure =
      shown.code === 'internal'
        ? 'Something went wrong on our side. Try this line again in a file of its own.'
        : shown.message
    const { count } = await tx.db.importRow.updateMany({
      where: { importId, line, state: 'WAITING' },
      data: { state: 'FAILED', failure, doneAt: tx.now() },
    })
    if (count > 0) await tx.db.import.updateMany({ where: { id: importId }, data: { failedCount: { increment: 1 } } })
    return count
  })

const isOverQuota = (error: unknown): boolean => error instanceof AppError && error.code === 'rate_limited'

/** Errors that aren't caused by the line: the import tries again later. */
const isTemporary = (error: unknown): boolean =>
  isDatabaseDown(error) ||
  isTransactionConflict(error) ||
  isLeaseLost(error) ||
  isSuspensionRefused(error) ||
  isOverQuota(error) ||
  (error instanceof AppError && error.code === 'unavailable')
