import type { Context } from '../../platform/auth/context.ts'
import type { Statement } from '../../db/statements.ts'
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
  const [holders] = await ctx.rows<{ lines: string | null }>(HOLDERS, id)
  return `address,quantity\r\n${holders!.lines ?? ''}`
}

const HOLDERS: Statement = {
  name: 'snapshot_holders',
  text: "SELECT string_agg(address || ',' || quantity || E'\\r\\n', '' ORDER BY address) AS lines FROM snapshot_holders WHERE snapshot_id = $1::uuid",
}
