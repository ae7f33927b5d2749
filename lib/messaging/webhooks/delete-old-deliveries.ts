import { Prisma } from '../../../generated/prisma/client.ts'
import type { WorkerContext } from '../../platform/auth/context.ts'
import { DAY, secondsFrom } from '../../core/clock.ts'

export const DELIVERY_RETENTION_DAYS = 30
const BATCH = 5_000

/**
 * Deletes up to 5,000 deliveries older than 30 days, with their attempts. Pending ones are at most 3 days old. The
 * worker calls it repeatedly.
 */
export async function deleteOldDeliveries(worker: WorkerContext): Promise<void> {
  const old = secondsFrom(worker.now(), -DELIVERY_RETENTION_DAYS * DAY).toISOString()
  await worker.sql(Prisma.sql`
    DELETE FROM webhook_deliveries WHERE id IN (
      SELECT id FROM webhook_deliveries WHERE created_at < ${old}::timestamptz AND state <> 'PENDING' ORDER BY created_at LIMIT ${BATCH})`)
}
