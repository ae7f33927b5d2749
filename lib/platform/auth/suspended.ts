import { Prisma } from '../../../generated/prisma/client.ts'
import { AppError } from '../../core/errors.ts'
import { type AnyContext, organizationIdOf } from './context.ts'

// One function of the database, is_suspended, decides what is suspended (prisma/migrations: abuse). Triggers ask it for
// every row that promises, sells or mints. The questions of this file refuse earlier: before anything else happens, or
// waits.

/** An organization, or one of its collections. */
export type Place = { organizationId: string; collectionId: string | null }

/** The error for what would promise, sell or mint something of a suspended organization or collection. */
export const suspendedError = () => new AppError('suspended', 'This isn’t offered at the moment.')

export async function isSuspended(ctx: AnyContext, { organizationId, collectionId }: Place): Promise<boolean> {
  const [row] = await ctx.sql<{ suspended: boolean }>(
    Prisma.sql`SELECT is_suspended(${organizationId}::uuid, ${collectionId}::uuid) AS suspended`,
  )
  return row?.suspended ?? false
}

/**
 * Whether the organization or collection is suspended. A suspension that comes meanwhile waits until this transaction
 * has ended.
 */
export async function isSuspendedUntilCommit(
  tx: AnyContext,
  { organizationId, collectionId }: Place,
): Promise<boolean> {
  const [row] = await tx.sql<{ suspended: boolean }>(
    Prisma.sql`SELECT is_suspended_until_commit(${organizationId}::uuid, ${collectionId}::uuid) AS suspended`,
  )
  return row?.suspended ?? false
}

/**
 * Throws `suspended` for a suspended organization or collection. Without `collectionId` the caller's organization is
 * meant.
 */
export async function assertNotSuspended(ctx: AnyContext, place: Partial<Place> = {}): Promise<void> {
  const organizationId = place.organizationId ?? organizationIdOf(ctx)
  if (organizationId && (await isSuspended(ctx, { organizationId, collectionId: place.collectionId ?? null })))
    throw suspendedError()
}
