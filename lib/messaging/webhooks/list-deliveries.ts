import type { Input } from '../../platform/api/endpoint.ts'
import type { listWebhookDeliveries as endpoint } from '../../platform/api/webhooks.ts'
import type { Context } from '../../platform/auth/context.ts'
import { byId, paginate } from '../../core/page.ts'
import { countRows } from '../../records/counts/count-rows.ts'
import { readWebhook } from './read-webhook.ts'
import { deliveriesOf, type ShownDelivery } from './show-webhook.ts'

export async function listDeliveries(ctx: Context, webhookId: string, query: Input<typeof endpoint>['query']) {
  await readWebhook(ctx, webhookId)
  const where = {
    webhookId,
    ...(query.state && { state: query.state }),
    ...(query.event_type && { eventType: query.event_type }),
  }
  return paginate(query, {
    key: (row: ShownDelivery) => row.id,
    find: async (range) => {
      const { where: after, ...rest } = byId(range)
      return deliveriesOf(ctx, await ctx.db.webhookDelivery.findMany({ where: { AND: [where, after] }, ...rest }))
    },
    count: () =>
      countRows(ctx, {
        table: 'webhook_deliveries',
        parentId: webhookId,
        traits: { state: query.state, eventType: query.event_type },
      }),
    show: (row) => row,
  })
}
