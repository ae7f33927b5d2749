import { Prisma, type PurchaseIntent } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'

/** Takes a purchase for this transaction, and answers the context of its organization. Claims are locked before, listings after. */
export async function lockPurchase(ctx: Context, id: string): Promise<{ tx: Context; intent: PurchaseIntent }> {
  await ctx.sql(Prisma.sql`SELECT 1 FROM purchase_intents WHERE id = ${id}::uuid FOR NO KEY UPDATE`)
  const intent = await ctx.db.purchaseIntent.findFirst({ where: { id } })
  if (!intent) throw notFound()
  return { tx: { ...ctx, organizationId: intent.organizationId }, intent }
}
