import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { startImport as endpoint } from '../../platform/api/imports.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { type Context, inTransaction, assertPermission } from '../../platform/auth/context.ts'
import { assertNotSuspended } from '../../platform/auth/suspended.ts'
import { AppError, fieldError, notFound } from '../../core/errors.ts'
import { assertColumnsKnown, assertStartable } from './create-import.ts'
import { type ImportOptions, optionsOf } from './import-options.ts'
import { importOf } from './show-import.ts'

/**
 * Starts a checked import; the worker does the rest. Throws `import_not_ready`, `import_invalid` for invalid lines
 * unless they may be skipped, and `unknown_columns` unless they may be ignored.
 */
export const startImport = (
  ctx: Context,
  id: string,
  { skip_invalid, ignore_columns }: Input<typeof endpoint>['body'],
): Promise<Output<typeof endpoint>> =>
  inTransaction(ctx, async (tx) => {
    const before = await tx.db.import.findFirst({ where: { id } })
    if (!before) throw notFound()
    assertPermission(tx, before.kind === 'ITEMS' ? 'items:write' : 'email_claims:write')
    if (before.kind === 'EMAIL_CLAIMS') await assertNotSuspended(tx)
    const options = withIgnored(optionsOf(before), ignore_columns ?? [])
    if (before.state === 'JUDGED') {
      assertColumnsKnown(before.kind, options)
      assertStartable(before, skip_invalid ?? false)
    }
    const { count } = await tx.db.import.updateMany({
      where: { id, state: 'JUDGED' },
      data: { state: 'RUNNING', startedAt: tx.now(), ...(ignore_columns?.length && { options }) },
    })
    if (count === 0) throw new AppError('import_not_ready', 'This import was started or cancelled before.')
    await recordAudit(tx, {
      action: 'import.started',
      subject: { type: 'import', id },
      after: { rows: before.okCount },
    })
    return importOf(tx, await tx.db.import.findFirstOrThrow({ where: { id } }))
  })

/** Only what nothing reads can be ignored now: the lines were checked with the other columns. */
function withIgnored(options: ImportOptions, given: readonly string[]): ImportOptions {
  const read = given.find((name) => !options.columns.some((column) => column.name === name && column.means === null))
  if (read !== undefined)
    throw fieldError(
      'invalid_request',
      'ignore_columns',
      `“${read.slice(0, 60)}” is none of the unknown columns. Upload the file again to leave out another one.`,
    )
  return { ...options, ignore_columns: [...new Set([...options.ignore_columns, ...given])] }
}
