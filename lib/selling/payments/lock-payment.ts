import { type Payment, Prisma } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'

/**
 * A payment that nobody else changes until the transaction ends, and the context of its organization. Its purchase is locked
 * first, in the order in which everybody does it.
 */
export async function lockPayment(ctx: Context, id: string): Promise<{ tx: Context; payment: Payment }> {
  const found = await ctx.db.payment.findFirst({ where: { id }, select: { intentId: true } })
  if (!found) throw notFound()
  await ctx.sql(Prisma.sql`SELECT id FROM purchase_intents WHERE id = ${found.intentId}::uuid FOR NO KEY UPDATE`)
  await ctx.sql(Prisma.sql`SELECT id FROM payments WHERE id = ${id}::uuid FOR NO KEY UPDATE`)
  const payment = await ctx.db.payment.findFirst({ where: { id } })
  if (!payment) throw notFound()
  return { tx: { ...ctx, organizationId: payment.organizationId }, payment }
}
