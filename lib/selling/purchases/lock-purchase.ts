import { Prisma, type PurchaseIntent } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'

/** Locks a purchase until the transaction ends. Lock order: claims, purchase, listing, items, holds, collection. */
export async function lockPurchase(tx: Context, id: string): Promise<PurchaseIntent> {
  await tx.sql(Prisma.sql`SELECT 1 FROM purchase_intents WHERE id = ${id}::uuid FOR NO KEY UPDATE`)
  const intent = await tx.db.purchaseIntent.findFirst({ where: { id } })
  if (!intent) throw notFound()
  return intent
}

/**
 * Locks a purchase and, before it, its claims until the transaction ends, for callers that may end the claims as well.
 */
export async function lockPurchaseAndClaims(tx: Context, id: string): Promise<PurchaseIntent> {
  await tx.sql(
    Prisma.sql`SELECT 1 FROM email_claims WHERE purchase_intent_id = ${id}::uuid ORDER BY id FOR NO KEY UPDATE`,
  )
  return lockPurchase(tx, id)
}
