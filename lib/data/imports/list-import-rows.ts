import type { Import, ImportRow } from '../../../generated/prisma/client.ts'
import type { Input } from '../../platform/api/endpoint.ts'
import type { listImportRows as endpoint } from '../../platform/api/imports.ts'
import type { Context } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'
import type { Statement } from '../../db/statements.ts'
import { paginate } from '../../core/paginate.ts'
import { countRows } from '../../records/counts/count-rows.ts'
import { optionsOf } from './import-options.ts'
import { importRowOf } from './show-import.ts'

const IMPORT: Statement = {
  name: 'import_of_lines',
  text: 'SELECT options FROM imports WHERE organization_id = $1::uuid AND id = $2::uuid',
}

/** An import's lines, in the file's order by default. */
export async function listImportRows(ctx: Context, importId: string, query: Input<typeof endpoint>['query']) {
  const [found] = await ctx.rows<Pick<Import, 'options'>>(IMPORT, ctx.organizationId, importId)
  if (!found) throw notFound()
  const { columns } = optionsOf(found)
  const where = {
    importId,
    ...(query.verdict && { verdict: query.verdict }),
    ...(query.state && { state: query.state }),
  }
  return paginate(
    { ...query, order_direction: query.order_direction ?? 'ASC' },
    {
      list: ['import_rows', ctx.organizationId, importId],
      key: (row: ImportRow) => String(row.line),
      find: ({ after, direction, take }) =>
        ctx.db.importRow.findMany({
          where: {
            AND: [
              where,
              after === undefined ? {} : { line: direction === 'asc' ? { gt: Number(after) } : { lt: Number(after) } },
            ],
          },
          orderBy: { line: direction },
          take,
        }),
      count: () =>
        countRows(ctx, {
          table: 'import_rows',
          parentId: importId,
          traits: { verdict: query.verdict, state: query.state },
        }),
      show: (row) => importRowOf(row, columns),
    },
  )
}
