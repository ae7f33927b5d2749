import type { Context } from '../../platform/auth/context.ts'
import { AppError, notFound } from '../../core/errors.ts'

/** A snapshot's holders as CSV, which needs no escaping: it holds only addresses and numbers. Throws `snapshot_not_ready`. */
export async function getSnapshotHolders(ctx: Context, id: string): Promise<string> {
  const row = await ctx.db.snapshot.findFirst({ where: { id } })
  if (!row) throw notFound()
  if (!row.readyAt)
    throw new AppError(
      'snapshot_not_ready',
      row.failure ?? 'This snapshot has not been taken yet: its block is waited for.',
    )
  const holders = await ctx.db.snapshotHolder.findMany({
    where: { snapshotId: id },
    orderBy: { address: 'asc' },
    select: { address: true, quantity: true },
  })
  return ['address,quantity', ...holders.map(({ address, quantity }) => `${address},${quantity.toFixed()}`), ''].join(
    '\r\n',
  )
}
