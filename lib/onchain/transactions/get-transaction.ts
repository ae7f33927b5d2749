import type { Context } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'
import { transactionOf } from './show-transaction.ts'

export async function getTransaction(ctx: Context, id: string) {
  const row = await ctx.db.transaction.findFirst({ where: { id } })
  if (!row) throw notFound()
  return transactionOf(ctx, row)
}
