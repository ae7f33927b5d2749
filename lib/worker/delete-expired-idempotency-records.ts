import type { WorkerContext } from '../platform/auth/context.ts'
import { DAY, secondsFrom } from '../core/clock.ts'

/** Deletes the stored results of idempotent requests after 24 hours. */
export async function deleteExpiredIdempotencyRecords(worker: WorkerContext): Promise<void> {
  await worker.db.idempotencyRecord.deleteMany({ where: { createdAt: { lt: secondsFrom(worker.now(), -DAY) } } })
}
