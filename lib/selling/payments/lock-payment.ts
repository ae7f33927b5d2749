import { type Payment, Prisma } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'

/**
 * Locks a payment until the transaction ends. Its purchase is locked first: that is the order everywhere.
 */
export async function lockPayment(tx: Context, id: string): Promise<Payment> {
  const found = await tx.db.payment.findFirst({ where: { id }, select: { intentId: true } })
  if (!found) throw notFound()
  await tx.sql(Prisma.sql`SELECT id FROM purchase_intents WHERE id = ${found.intentId}::uuid FOR NO KEY UPDATE`)
  await tx.sql(Prisma.sql`SELECT id FROM payments WHERE id = ${id}::uuid FOR NO KEY UPDATE`)
  const payment = await tx.db.payment.findFirst({ where: { id } })
  if (!payment) throw notFound()
  return payment
}
