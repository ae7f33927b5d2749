import type { Context } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'
import { snapshotOf } from './show-snapshot.ts'

export async function getSnapshot(ctx: Context, id: string) {
  const row = await ctx.db.snapshot.findFirst({ where: { id } })
  if (!row) throw notFound()
  return snapshotOf(row)
}
