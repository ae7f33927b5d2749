import { type DeliveryState, Prisma } from '../../../generated/prisma/client.ts'
import type { Input } from '../../platform/api/endpoint.ts'
import type { listWebhookDeliveries as endpoint } from '../../platform/api/webhooks.ts'
import type { Context } from '../../platform/auth/context.ts'
import { literal, pageOfIds } from '../../db/page-of-ids.ts'
import { byId, paginate, type Range } from '../../core/paginate.ts'
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
    list: ['webhook_deliveries', ctx.organizationId, webhookId],
    key: (row: ShownDelivery) => row.id,
    find: async (range, total) => {
      if ((query.state || query.event_type) && (await total()) === 0) return []
      if (query.state && query.state !== 'DELIVERED') {
        const id = { in: await undeliveredIdsOf(ctx, where, range) }
        const rows = await ctx.db.webhookDelivery.findMany({ where: { id }, orderBy: { id: range.direction } })
        return deliveriesOf(ctx, rows)
      }
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

/** Ids of deliveries that wait or have failed, which may be rare. */
const undeliveredIdsOf = (
  ctx: Context,
  where: { webhookId: string; state?: DeliveryState; eventType?: string },
  range: Range,
): Promise<string[]> =>
  pageOfIds(
    ctx,
    'webhook_deliveries',
    [
      Prisma.sql`organization_id = ${ctx.organizationId}::uuid AND webhook_id = ${where.webhookId}::uuid`,
      ...(where.state ? [Prisma.sql`state = ${literal(where.state)}`] : []),
      ...(where.eventType ? [Prisma.sql`event_type = ${where.eventType}`] : []),
    ],
    range,
  )
