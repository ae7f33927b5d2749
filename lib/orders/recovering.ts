import { Prisma } from '../../generated/prisma/client.ts'
import type { AnyContext, WorkerContext } from '../platform/auth/context.ts'
import { AppError } from '../core/errors.ts'

// After the database was put back from a backup, the chain knows of mints and vouchers that the books don't. A recovery is open for each
// lane that is behind the chain, and what can't be undone waits until the index has caught up (lib/onchain/recovery).

/** The networks of which a recovery is open. */
export async function recoveringNetworks(ctx: AnyContext): Promise<number[]> {
  const rows = await ctx.sql<{ networkId: number }>(
    Prisma.sql`SELECT DISTINCT network_id AS "networkId" FROM recoveries WHERE ended_at IS NULL`,
  )
  return rows.map(({ networkId }) => networkId)
}

/** Whether the books of a network are behind its chain: nothing of it may expire, be refunded or be delivered again meanwhile. */
export const isRecovering = async (ctx: AnyContext, networkId: number | null): Promise<boolean> =>
  networkId !== null && (await recoveringNetworks(ctx)).includes(networkId)

/** The same for one lane, which sends nothing meanwhile. */
export async function isLaneRecovering(worker: WorkerContext, networkId: number, operator: string): Promise<boolean> {
  const open = await worker.db.recovery.count({ where: { networkId, operator, endedAt: null } })
  return open > 0
}

export const recoveringError = () =>
  new AppError(
    'recovering',
    'The records are being compared with the network after a backup was put back. Nothing was changed; try again in some minutes.',
    { retryAfterSeconds: 60 },
  )
