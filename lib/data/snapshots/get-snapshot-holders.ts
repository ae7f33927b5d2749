import type { Context } from '../../platform/auth/context.ts'
import type { Statement } from '../../db/statements.ts'
import { AppError, notFound } from '../../core/errors.ts'
import { csvByPages, ROWS_PER_PAGE } from '../exports/by-pages.ts'

type Holder = { address: string; quantity: string }

/** A snapshot's holders as CSV, in pieces. Throws `snapshot_not_ready`. */
export async function getSnapshotHolders(ctx: Context, id: string): Promise<AsyncGenerator<string>> {
  const row = await ctx.db.snapshot.findFirst({ where: { id } })
  if (!row) throw notFound()
  if (!row.readyAt)
    throw new AppError(
      'snapshot_not_ready',
      row.failure ?? 'This snapshot has not been taken yet: its block is waited for.',
    )
  return csvByPages<Holder>(['address', 'quantity'], {
    read: (after) => ctx.rows<Holder>(HOLDERS, id, after ?? ''),
    key: ({ address }) => address,
    show: ({ address, quantity }) => [address, quantity],
  })
}

const HOLDERS: Statement = {
  name: 'snapshot_holders',
  text: `SELECT address, quantity::text AS quantity FROM snapshot_holders
    WHERE snapshot_id = $1::uuid AND address > $2::text
    ORDER BY address LIMIT ${ROWS_PER_PAGE}`,
}
