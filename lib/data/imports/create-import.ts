import { type ImportKind, Prisma } from '../../../generated/prisma/client.ts'
import { SHOWN_IMPORT_ROWS } from '../../platform/api/imports.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { assertNotSuspended } from '../../platform/auth/suspended.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { AppError } from '../../core/errors.ts'
import { newId } from '../../core/id.ts'
import type { Upload } from '../../core/wire.ts'
import type { ImportOptions } from './import-options.ts'
import { unknownColumnsOf } from './columns.ts'
import type { CheckedRow } from './checked-row.ts'
import type { Table } from './read-table.ts'
import { importOf, importRowOf } from './show-import.ts'

type Source = {
  file?: Upload | null | undefined
  csv?: string | null | undefined
  dry_run?: boolean | null | undefined
  skip_invalid?: boolean | null | undefined
}

/** The uploaded file or the CSV text of a request. */
export const contentOf = ({ file, csv }: Source): Uint8Array | string => file?.bytes ?? csv ?? ''

/**
 * Stores a checked file, so that starting it needs no second upload. Starts it at once when `dry_run` is false. Throws
 * `import_invalid`.
 */
export async function createImport(
  ctx: Context,
  kind: ImportKind,
  source: Source,
  { options, table, rows }: { options: ImportOptions; table: Table; rows: CheckedRow[] },
) {
  const counts = {
    okCount: countOf(rows, 'OK'),
    duplicateCount: countOf(rows, 'DUPLICATE'),
    invalidCount: countOf(rows, 'INVALID'),
  }
  const starts = source.dry_run === false
  if (starts && kind === 'EMAIL_CLAIMS') await assertNotSuspended(ctx)
  if (starts) {
    assertColumnsKnown(kind, options)
    assertStartable(counts, source.skip_invalid ?? false, rows)
  }
  return inTransaction(ctx, async (tx) => {
    const id = newId()
    const row = await tx.db.import.create({
      data: {
        id,
        organizationId: tx.organizationId,
        kind,
        state: starts ? 'RUNNING' : 'JUDGED',
        fileName:
          source.file?.name
            ?.slice(0, 255)
            .replace(/\p{Cc}/gu, '')
            .toWellFormed() ?? null,
        options,
        rowCount: rows.length,
        ...counts,
        memberId: memberOf(tx),
        createdAt: tx.now(),
        ...(starts && { startedAt: tx.now() }),
      },
    })
    await writeRows(tx, id, table, rows)
    const facts = {
      kind,
      file_name: row.fileName,
      row_count: rows.length,
      ok_count: counts.okCount,
      duplicate_count: counts.duplicateCount,
      invalid_count: counts.invalidCount,
    }
    await recordAudit(tx, { action: 'import.judged', subject: { type: 'import', id }, after: facts })
    if (starts)
      await recordAudit(tx, {
        action: 'import.started',
        subject: { type: 'import', id },
        after: { rows: counts.okCount },
      })
    const first = await tx.db.importRow.findMany({
      where: { importId: id },
      orderBy: { line: 'asc' },
      take: SHOWN_IMPORT_ROWS,
    })
    return { ...(await importOf(tx, row)), rows: first.map((each) => importRowOf(each, options.columns)) }
  })
}

const countOf = (rows: readonly CheckedRow[], verdict: CheckedRow['verdict']): number =>
  rows.filter((row) => row.verdict === verdict).length

const memberOf = ({ actor }: Context): string | null =>
  actor.type === 'api_key' ? actor.memberId : actor.type === 'member' ? actor.id : null

type Counts = { okCount: number; invalidCount: number }

/** Throws `unknown_columns` when a file of claims has columns that nothing reads, and nobody said to ignore them. */
export function assertColumnsKnown(kind: ImportKind, { columns, ignore_columns }: ImportOptions): void {
  const unknown = kind === 'EMAIL_CLAIMS' ? unknownColumnsOf(columns, ignore_columns) : []
  if (unknown.length === 0) return
  const names = unknown.map((name) => `“${name}”`).join(', ')
  const detail =
    `Nothing reads ${unknown.length === 1 ? 'the column' : 'the columns'} ${names}. ` +
    'Name what it means as the documentation does, or list it in ignore_columns.'
  throw new AppError('unknown_columns', detail, {
    fields: [{ field: 'ignore_columns', code: 'unknown_columns', detail }],
  })
}

/** Throws `import_invalid` when no line is valid, or when there are invalid lines that may not be skipped. */
export function assertStartable(
  { okCount, invalidCount }: Counts,
  skipInvalid: boolean,
  rows: readonly CheckedRow[] = [],
): void {
  const wrong = rows.filter(({ verdict }) => verdict === 'INVALID').slice(0, SHOWN_IMPORT_ROWS)
  const fields = wrong.map(({ line, reasons }) => ({
    field: `rows.${line}`,
    code: 'import_invalid',
    detail: reasons.join(' '),
  }))
  if (invalidCount > 0 && !skipInvalid)
    throw new AppError(
      'import_invalid',
      `${linesOf(invalidCount)} can’t be carried out. Mend the file, or leave those lines out (skip_invalid).`,
      { fields },
    )
  if (okCount === 0)
    throw new AppError('import_invalid', 'There is no line left that could be carried out.', { fields })
}

const linesOf = (count: number): string => (count === 1 ? 'One line' : `${count.toLocaleString('en')} lines`)

const CHUNK_SIZE = 500

/** Inserts the rows: OK ones as WAITING, others as SKIPPED. */
async function writeRows(tx: Context, importId: string, table: Table, rows: readonly CheckedRow[]): Promise<void> {
  for (let from = 0; from < rows.length; from += CHUNK_SIZE) {
    const cells = table.rows(from, CHUNK_SIZE)
    const some = rows.slice(from, from + CHUNK_SIZE).map((row, at) => ({ ...row, fields: cells[at]!.fields }))
    await tx.sql(Prisma.sql`
      INSERT INTO import_rows (organization_id, import_id, line, fields, verdict, reasons, state)
      SELECT ${tx.organizationId}::uuid, ${importId}::uuid, r.line, r.fields, r.verdict, r.reasons,
        (CASE r.verdict WHEN 'OK' THEN 'WAITING' ELSE 'SKIPPED' END)::"RowState"
      FROM jsonb_to_recordset(${JSON.stringify(some)}::jsonb)
        AS r (line int, fields jsonb, verdict "RowVerdict", reasons text[])`)
  }
}
