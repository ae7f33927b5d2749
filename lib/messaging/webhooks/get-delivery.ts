import type { Context } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'
import { deliveriesOf } from './show-webhook.ts'

export async function getDelivery(ctx: Context, id: string) {
  const [shown] = await deliveriesOf(
    ctx,
    await ctx.db.webhookDelivery.findMany({ where: { id, webhook: { deletedAt: null } } }),
  )
  if (!shown) throw notFound()
  return shown
}
