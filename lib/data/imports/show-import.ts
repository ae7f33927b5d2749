import type { z } from 'zod'
import type { ImportRow } from '../../../generated/prisma/client.ts'
import { columns, type RowOf } from '../../db/columns.ts'
import type { importRecord, importRow } from '../../platform/api/imports.ts'
import type { Context } from '../../platform/auth/context.ts'
import { countRowsByParent } from '../../records/counts/count-rows.ts'
import { type Column, unknownColumnsOf } from './columns.ts'
import { optionsOf } from './import-options.ts'

type ShownImport = z.output<typeof importRecord>

/** The fields of an import's row that are shown. */
export const IMPORT_COLUMNS = columns('i', 'Import', [
  'id',
  'kind',
  'state',
  'fileName',
  'options',
  'rowCount',
  'okCount',
  'duplicateCount',
  'invalidCount',
  'doneCount',
  'failedCount',
  'createdAt',
  'startedAt',
  'endedAt',
  'linesDeletedAt',
])
export type ShownImportRow = RowOf<typeof IMPORT_COLUMNS>

/** Imports as the API shows them, in the order of the rows; how many of their lines wait is read in one statement. */
export async function importsOf(
  ctx: Pick<Context, 'rows' | 'organizationId'>,
  rows: readonly ShownImportRow[],
): Promise<ShownImport[]> {
  const open = rows.filter(({ state }) => state === 'JUDGED' || state === 'RUNNING').map(({ id }) => id)
  const waitingOf =
    open.length > 0
      ? await countRowsByParent(ctx, { table: 'import_rows', parentIds: open, trait: 'state', value: 'WAITING' })
      : new Map<string, number>()
  return rows.map((row) => {
    const { columns, ...options } = optionsOf(row)
    return {
      id: row.id,
      kind: row.kind,
      state: row.state,
      file_name: row.fileName,
      options,
      columns,
      unknown_columns: row.kind === 'EMAIL_CLAIMS' ? unknownColumnsOf(columns, options.ignore_columns) : [],
      row_count: row.rowCount,
      ok_count: row.okCount,
      duplicate_count: row.duplicateCount,
      invalid_count: row.invalidCount,
      waiting_count: waitingOf.get(row.id) ?? 0,
      done_count: row.doneCount,
      failed_count: row.failedCount,
      created_at: row.createdAt,
      started_at: row.startedAt,
      ended_at: row.endedAt,
      lines_deleted_at: row.linesDeletedAt,
    }
  })
}

export const importOf = async (
  ctx: Pick<Context, 'rows' | 'organizationId'>,
  row: ShownImportRow,
): Promise<ShownImport> => (await importsOf(ctx, [row]))[0]!

/** Of empty cells nothing is stored. */
export const importRowOf = (row: ImportRow, columns: readonly Column[]): z.output<typeof importRow> => ({
  line: row.line,
  fields: {
    ...Object.fromEntries(columns.map(({ name }) => [name, ''])),
    ...(row.fields as Record<string, string>),
  },
  verdict: row.verdict,
  reasons: row.reasons,
  state: row.state,
  result_id: row.resultId,
  failure: row.failure,
  done_at: row.doneAt,
})
