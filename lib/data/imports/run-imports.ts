import { type Import, type ImportRow, Prisma } from '../../../generated/prisma/client.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { type Context, inTransaction, type WorkerContext } from '../../platform/auth/context.ts'
import { crashPoint } from '../../core/crash.ts'
import { AppError } from '../../core/errors.ts'
import { log } from '../../core/log.ts'
import { isDatabaseDown, isLeaseLost, isSuspensionRefused, isTransactionConflict } from '../../db/errors.ts'
import { sweep } from '../../platform/jobs/sweep.ts'
import { optionsOf } from './import-options.ts'
import { importClaimLine, importItemLine, lockNamedItems, type Outcome } from './import-line.ts'

/** Lines per transaction: their effects and their DONE states are committed together. */
const LINES_PER_BATCH = 20
/** Batches per import in one round, so that a long file doesn't delay a short one. */
const MAX_BATCHES_PER_IMPORT = 10

const TASK = { kind: 'run imports', failure: 'An import could not be continued; it is tried again.' }

/** Continues every running import. One that would make claims of what is suspended waits. Returns how many lines were processed. */
export async function runImports(worker: WorkerContext): Promise<number> {
  const running = await worker.db.import.findMany({
    where: { state: 'RUNNING' },
    orderBy: { startedAt: 'asc' },
    select: { id: true, organizationId: true },
  })
  let lines = 0
  const continueImport = async (ctx: Context, { id }: { id: string }) => {
    for (let round = 0; round < MAX_BATCHES_PER_IMPORT; round++) {
      const count = await runBatch(ctx, id)
      if (count === 0) break
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

async function runBatch(ctx: Context, importId: string): Promise<number> {
  try {
    return await importLines(ctx, importId, LINES_PER_BATCH)
  } catch (error) {
    if (isTemporary(error)) throw error
    return importOneByOne(ctx, importId)
  }
}

/** Repeats a failed batch with one transaction per line, so that only the faulty line fails. */
async function importOneByOne(ctx: Context, importId: string): Promise<number> {
  for (let done = 0; done < LINES_PER_BATCH;) {
    const progress = { line: 0 }
    const count = await importLines(ctx, importId, 1, progress).catch((error: unknown) => {
      if (isTemporary(error) || progress.line === 0) throw error
      return failLine(ctx, importId, progress.line, error)
    })
    if (count === 0) return done
    done += count
  }
  return LINES_PER_BATCH
}

/**
 * Imports the next waiting lines in one transaction. `progress.line` holds the current line, for the caller to know which one failed.
 * Returns 0 when no line is left, or when another process is importing.
 */
const importLines = (ctx: Context, importId: string, max: number, progress = { line: 0 }): Promise<number> =>
  inTransaction(ctx, async (tx) => {
    const work = await lockImport(tx, importId)
    if (!work) return 0
    const rows = await nextLines(tx, importId, max)
    if (rows.length === 0) return completeImport(tx, work)
    if (work.kind === 'EMAIL_CLAIMS')
      await lockNamedItems(
        tx,
        rows.map(({ fields }) => fields as Record<string, string>),
        optionsOf(work),
      )
    const counts = { DONE: 0, FAILED: 0, SKIPPED: 0 }
    for (const row of rows) {
      progress.line = row.line
      const { state, resultId = null, failure = null } = await outcomeOf(tx, work, row)
      counts[state]++
      await tx.db.importRow.updateMany({
        where: { importId, line: row.line, state: 'WAITING' },
        data: { state, resultId, failure, doneAt: tx.now() },
      })
    }
    await tx.db.import.updateMany({
      where: { id: importId },
      data: { doneCount: { increment: counts.DONE }, failedCount: { increment: counts.FAILED } },
    })
    crashPoint('lines_done')
    return rows.length
  })

const outcomeOf = (tx: Context, work: Import, row: ImportRow): Promise<Outcome> => {
  const fields = row.fields as Record<string, string>
  return work.kind === 'ITEMS'
    ? importItemLine(tx, fields, optionsOf(work))
    : importClaimLine(tx, fields, optionsOf(work))
}

/**
 * The import, locked for this transaction. null while another process imports for the same organization: only one import runs at a
 * time per organization, so that two files with the same person don't both find that nothing was sent yet.
 */
async function lockImport(tx: Context, importId: string): Promise<Import | null> {
  const [turn] = await tx.sql<{ mine: boolean }>(
    Prisma.sql`SELECT pg_try_advisory_xact_lock(hashtextextended(${`vitrine imports ${tx.organizationId}`}, 0)) AS mine`,
  )
  if (!turn?.mine) return null
  const [taken] = await tx.sql(
    Prisma.sql`SELECT 1 FROM imports WHERE id = ${importId}::uuid AND state = 'RUNNING' FOR NO KEY UPDATE SKIP LOCKED`,
  )
  return taken ? tx.db.import.findFirst({ where: { id: importId } }) : null
}

const nextLines = (tx: Context, importId: string, max: number): Promise<ImportRow[]> =>
  tx.db.importRow.findMany({ where: { importId, state: 'WAITING' }, orderBy: { line: 'asc' }, take: max })

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
    if (!(error instanceof AppError))
      log.error({ error, importId, line }, 'A line of an import failed with an unexpected error.')
    const failure =
      error instanceof AppError
        ? error.message
        : 'Something went wrong on our side. Try this line again in a file of its own.'
    const { count } = await tx.db.importRow.updateMany({
      where: { importId, line, state: 'WAITING' },
      data: { state: 'FAILED', failure, doneAt: tx.now() },
    })
    if (count > 0) await tx.db.import.updateMany({ where: { id: importId }, data: { failedCount: { increment: 1 } } })
    return count
  })

/** Errors that aren't caused by the line: the import tries again later. */
const isTemporary = (error: unknown): boolean =>
  isDatabaseDown(error) ||
  isTransactionConflict(error) ||
  isLeaseLost(error) ||
  isSuspensionRefused(error) ||
  (error instanceof AppError && (error.code === 'unavailable' || error.code === 'rate_limited'))
