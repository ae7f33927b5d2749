import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { startImport as endpoint } from '../../platform/api/imports.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { type Context, inTransaction, assertPermission } from '../../platform/auth/context.ts'
import { assertNotSuspended } from '../../platform/auth/suspended.ts'
import { AppError, notFound } from '../../core/errors.ts'
import { assertStartable } from './create-import.ts'
import { importOf } from './show-import.ts'

/**
 * Starts a checked import; the worker does the rest. Throws `import_not_ready`, and `import_invalid` for invalid lines
 * unless they may be skipped.
 */
export const startImport = (
  ctx: Context,
  id: string,
  { skip_invalid }: Input<typeof endpoint>['body'],
): Promise<Output<typeof endpoint>> =>
  inTransaction(ctx, async (tx) => {
    const before = await tx.db.import.findFirst({ where: { id } })
    if (!before) throw notFound()
    assertPermission(tx, before.kind === 'ITEMS' ? 'items:write' : 'email_claims:write')
    if (before.kind === 'EMAIL_CLAIMS') await assertNotSuspended(tx)
    if (before.state === 'JUDGED') assertStartable(before, skip_invalid ?? false)
    const { count } = await tx.db.import.updateMany({
      where: { id, state: 'JUDGED' },
      data: { state: 'RUNNING', startedAt: tx.now() },
    })
    if (count === 0) throw new AppError('import_not_ready', 'This import was started or cancelled before.')
    await recordAudit(tx, {
      action: 'import.started',
      subject: { type: 'import', id },
      after: { rows: before.okCount },
    })
    return importOf(tx, await tx.db.import.findFirstOrThrow({ where: { id } }))
  })
