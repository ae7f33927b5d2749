import { Prisma } from '../../../generated/prisma/client.ts'
import { DAY, secondsFrom } from '../../core/clock.ts'
import { env } from '../../core/env.ts'
import type { SystemContext } from '../../platform/auth/context.ts'
import { findReady, sweep } from '../../platform/jobs/sweep.ts'
import { cancelImport } from './cancel-import.ts'

const BATCH = 5_000
const BATCHES_PER_ROUND = 40
const CANCEL = {
  kind: 'cancel old import',
  failure: 'An import that was never started could not be cancelled.',
} as const

/**
 * Deletes the lines of imports that ended RETAIN_IMPORTS_DAYS ago, and cancels those that weren't started for so long.
 * Lines that made an item stay: by them its external id is known.
 */
export async function deleteOldLines(worker: SystemContext, batch = BATCH): Promise<void> {
  const old = secondsFrom(worker.now(), -env.RETAIN_IMPORTS_DAYS * DAY)
  const unstarted = await findReady(worker, CANCEL, 100, (range) =>
    worker.db.import.findMany({
      where: { endedAt: null, startedAt: null, createdAt: { lt: old } },
      orderBy: { id: 'asc' },
      select: { id: true, organizationId: true },
      ...range,
    }),
  )
  await sweep(worker, CANCEL, unstarted, (ctx, { id }) => cancelImport(ctx, id))
  const ended = Prisma.sql`i.lines_deleted_at IS NULL AND i.ended_at < ${old.toISOString()}::timestamptz`
  for (let batches = 1; batches <= BATCHES_PER_ROUND; batches++) {
    const deleted = await worker.sql(Prisma.sql`
      DELETE FROM import_rows WHERE ctid = ANY (ARRAY(
        SELECT r.ctid FROM imports i JOIN import_rows r ON r.import_id = i.id
        WHERE ${ended} AND NOT (i.kind = 'ITEMS' AND r.state = 'DONE') LIMIT ${batch})) RETURNING 1`)
    if (deleted.length === batch) continue
    await worker.sql(Prisma.sql`
      UPDATE imports i SET lines_deleted_at = ${worker.now().toISOString()}::timestamptz
      WHERE ${ended} AND NOT EXISTS (
        SELECT 1 FROM import_rows r WHERE r.import_id = i.id AND NOT (i.kind = 'ITEMS' AND r.state = 'DONE'))`)
    return
  }
}
