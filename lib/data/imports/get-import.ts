import type { Output } from '../../platform/api/endpoint.ts'
import type { getImport as endpoint } from '../../platform/api/imports.ts'
import type { Context } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'
import type { Statement } from '../../db/statements.ts'
import { importOf, type ShownImportRow } from './show-import.ts'

const IMPORT: Statement = {
  name: 'import_by_id',
  text: `SELECT id, kind, state, file_name AS "fileName", options, row_count AS "rowCount", ok_count AS "okCount",
      duplicate_count AS "duplicateCount", invalid_count AS "invalidCount", done_count AS "doneCount", failed_count AS "failedCount",
      created_at AS "createdAt", started_at AS "startedAt", ended_at AS "endedAt", lines_deleted_at AS "linesDeletedAt"
    FROM imports WHERE organization_id = $1::uuid AND id = $2::uuid`,
}

export async function getImport(ctx: Context, id: string): Promise<Output<typeof endpoint>> {
  const [row] = await ctx.rows<ShownImportRow>(IMPORT, ctx.organizationId, id)
  if (!row) throw notFound()
  return importOf(ctx, row)
}
