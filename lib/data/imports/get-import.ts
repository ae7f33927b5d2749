import type { Output } from '../../platform/api/endpoint.ts'
import type { getImport as endpoint } from '../../platform/api/imports.ts'
import type { Context } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'
import type { Statement } from '../../db/statements.ts'
import { IMPORT_COLUMNS, importOf, type ShownImportRow } from './show-import.ts'

const IMPORT: Statement = {
  name: 'import_by_id',
  text: `SELECT ${IMPORT_COLUMNS} FROM imports i WHERE organization_id = $1::uuid AND id = $2::uuid`,
}

export async function getImport(ctx: Context, id: string): Promise<Output<typeof endpoint>> {
  const [row] = await ctx.rows<ShownImportRow>(IMPORT, ctx.organizationId, id)
  if (!row) throw notFound()
  return importOf(ctx, row)
}
