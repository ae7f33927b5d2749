import type { Context } from '../platform/auth/context.ts'
import { DAY, secondsFrom } from '../core/clock.ts'

/** Forgets the answers of idempotent requests after their 24 hours. */
export async function deleteExpiredIdempotencyRecords(ctx: Context): Promise<void> {
  await ctx.db.idempotencyRecord.deleteMany({ where: { createdAt: { lt: secondsFrom(ctx.now(), -DAY) } } })
}
