import { Prisma } from '../../generated/prisma/client.ts'
import type { AnyContext, SystemContext } from '../platform/auth/context.ts'
import { AppError } from '../core/errors.ts'

// After the database was put back from a backup, the chain knows of mints and vouchers that the books don't. A recovery
// is open for each lane that is beyond the books, and what can't be undone waits until the index has caught up
// (lib/onchain/recovery). Until it is settled that something was lost, only what that lane's operator mints waits; then
// the whole network does.

/**
 * Whether the collection `c` waits: nothing of it may expire, be refunded or be delivered again meanwhile. What nobody
 * mints waits for all.
 */
export const RECOVERING = `EXISTS (SELECT 1 FROM recoveries r WHERE r.network_id = c.network_id AND r.ended_at IS NULL
  AND (r.lost_at IS NOT NULL OR r.operator = coalesce(c.minter, r.operator)))`

/** Whether a collection waits, by an expression of its id in a statement. */
export const isRecoveringSql = (collectionId: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`EXISTS (SELECT 1 FROM collections c WHERE c.id = ${collectionId} AND ${Prisma.raw(RECOVERING)})`

/** Whether a collection waits for a recovery. */
export async function isRecovering(ctx: AnyContext, collectionId: string): Promise<boolean> {
  const [row] = await ctx.sql<{ waits: boolean }>(
    Prisma.sql`SELECT ${isRecoveringSql(Prisma.sql`${collectionId}::uuid`)} AS waits`,
  )
  return row!.waits
}

/** Whether a recovery of a lane is open, which sends nothing meanwhile. */
export async function isLaneRecovering(worker: SystemContext, networkId: number, operator: string): Promise<boolean> {
  const open = await worker.db.recovery.count({ where: { networkId, operator, endedAt: null } })
  return open > 0
}

export const recoveringError = () =>
  new AppError(
    'recovering',
    'The records are being compared with the network after a backup was put back. ' +
      'Nothing was changed; try again in some minutes.',
    { retryAfterSeconds: 60 },
  )
