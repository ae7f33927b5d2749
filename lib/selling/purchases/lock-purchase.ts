import { Prisma, type PurchaseIntent } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'

/** Takes a purchase for this transaction, and answers the context of its organization. Claims are locked before, listings after. */
export async function lockPurchase(tx: Context, id: string): Promise<PurchaseIntent> {
  await tx.sql(Prisma.sql`SELECT 1 FROM purchase_intents WHERE id = ${id}::uuid FOR NO KEY UPDATE`)
  const intent = await tx.db.purchaseIntent.findFirst({ where: { id } })
  if (!intent) throw notFound()
  return intent
}
