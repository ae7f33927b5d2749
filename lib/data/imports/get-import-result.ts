import type { Context } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'
import { csvOf } from '../exports/csv.ts'
import { optionsOf } from './import-options.ts'

/** The file as CSV with the result of each line. It contains no claim links, which are secret. */
export async function getImportResult(ctx: Context, id: string): Promise<string> {
  const row = await ctx.db.import.findFirst({ where: { id } })
  if (!row) throw notFound()
  const names = optionsOf(row).columns.map(({ name }) => name)
  const rows = await ctx.db.importRow.findMany({ where: { importId: id }, orderBy: { line: 'asc' } })
  return csvOf([
    [...names, 'import_line', 'import_verdict', 'import_state', 'import_reasons', 'import_result_id'],
    ...rows.map(({ line, fields, verdict, state, reasons, failure, resultId }) => {
      const cells = fields as Record<string, string>
      return [
        ...names.map((name) => cells[name]),
        line,
        verdict,
        state,
        [...reasons, failure].filter(Boolean).join(' '),
        resultId,
      ]
    }),
  ])
}
