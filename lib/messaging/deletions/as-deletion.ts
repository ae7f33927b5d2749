import { Prisma } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'

/**
 * Runs `work` where campaigns and webhooks can be marked as deleted, and marked ones are seen. Row-level security hides
 * them from all others.
 */
export async function asDeletion<T>(tx: Context, work: () => Promise<T>): Promise<T> {
  await tx.sql(Prisma.sql`SELECT set_config('vitrine.deleting', 'on', true)`)
  const done = await work()
  await tx.sql(Prisma.sql`SELECT set_config('vitrine.deleting', 'off', true)`)
  return done
}
