import type { Output } from '../../platform/api/endpoint.ts'
import type { cancelImport as endpoint } from '../../platform/api/imports.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { AppError, notFound } from '../../core/errors.ts'
import { importOf } from './show-import.ts'

/**
 * Cancels an import: done lines stay, waiting ones are skipped. Waits for a batch in progress. Throws
 * `import_not_ready`.
 */
export const cancelImport = (ctx: Context, id: string): Promise<Output<typeof endpoint>> =>
  inTransaction(ctx, async (tx) => {
    const { count } = await tx.db.import.updateMany({
      where: { id, state: { in: ['JUDGED', 'RUNNING'] } },
      data: { state: 'CANCELLED', endedAt: tx.now() },
    })
    const row = await tx.db.import.findFirst({ where: { id } })
    if (!row) throw notFound()
    if (count === 0) throw new AppError('import_not_ready', 'This import has ended already.')
    const left = await tx.db.importRow.updateMany({
      where: { importId: id, state: 'WAITING' },
      data: { state: 'SKIPPED', failure: 'The import was cancelled.' },
    })
    await recordAudit(tx, {
      action: 'import.cancelled',
      subject: { type: 'import', id },
      after: { done: row.doneCount, left_out: left.count },
    })
    return importOf(tx, row)
  })
