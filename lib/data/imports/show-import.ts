import type { z } from 'zod'
import type { Import, ImportRow } from '../../../generated/prisma/client.ts'
import type { importRecord, importRow } from '../../platform/api/imports.ts'
import type { Context } from '../../platform/auth/context.ts'
import { optionsOf } from './import-options.ts'

export async function importOf(ctx: Pick<Context, 'db'>, row: Import): Promise<z.output<typeof importRecord>> {
  const { columns, ...options } = optionsOf(row)
  const open = row.state === 'JUDGED' || row.state === 'RUNNING'
  return {
    id: row.id,
    kind: row.kind,
    state: row.state,
    file_name: row.fileName,
    options,
    columns,
    row_count: row.rowCount,
    ok_count: row.okCount,
    duplicate_count: row.duplicateCount,
    invalid_count: row.invalidCount,
    waiting_count: open ? await ctx.db.importRow.count({ where: { importId: row.id, state: 'WAITING' } }) : 0,
    done_count: row.doneCount,
    failed_count: row.failedCount,
    created_at: row.createdAt,
    started_at: row.startedAt,
    ended_at: row.endedAt,
  }
}

export const importRowOf = (row: ImportRow): z.output<typeof importRow> => ({
  line: row.line,
  fields: row.fields as Record<string, string>,
  verdict: row.verdict,
  reasons: row.reasons,
  state: row.state,
  result_id: row.resultId,
  failure: row.failure,
  done_at: row.doneAt,
})
