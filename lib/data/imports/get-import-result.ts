import type { ImportRow } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'
import { csvByPages, ROWS_PER_PAGE } from '../exports/by-pages.ts'
import { optionsOf } from './import-options.ts'

/** The file as CSV with the result of each line. It contains no claim links, which are secret. */
export async function* getImportResult(ctx: Context, id: string): AsyncGenerator<string> {
  const row = await ctx.db.import.findFirst({ where: { id } })
  if (!row) throw notFound()
  const names = optionsOf(row).columns.map(({ name }) => name)
  const heading = [...names, 'import_line', 'import_verdict', 'import_state', 'import_reasons', 'import_result_id']
  yield* csvByPages<ImportRow>(heading, {
    read: (after) =>
      ctx.db.importRow.findMany({
        where: { importId: id, ...(after !== null && { line: { gt: Number(after) } }) },
        orderBy: { line: 'asc' },
        take: ROWS_PER_PAGE,
      }),
    key: ({ line }) => String(line),
    show: ({ line, fields, verdict, state, reasons, failure, resultId }) => {
      const cells = fields as Record<string, string>
      return [
        ...names.map((name) => cells[name] ?? ''),
        line,
        verdict,
        state,
        [...reasons, failure].filter(Boolean).join(' '),
        resultId,
      ]
    },
  })
}
