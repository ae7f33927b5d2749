import { type Payment, Prisma } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'
import { lockPurchaseAndClaims } from '../purchases/lock-purchase.ts'

/**
 * Locks a payment until the transaction ends; its purchase and that one's claims, which it may end, are locked before.
 */
export async function lockPayment(tx: Context, id: string): Promise<Payment> {
  const found = await tx.db.payment.findFirst({ where: { id }, select: { intentId: true } })
  if (!found) throw notFound()
  await lockPurchaseAndClaims(tx, found.intentId)
  await tx.sql(Prisma.sql`SELECT id FROM payments WHERE id = ${id}::uuid FOR NO KEY UPDATE`)
  const payment = await tx.db.payment.findFirst({ where: { id } })
  if (!payment) throw notFound()
  return payment
}
