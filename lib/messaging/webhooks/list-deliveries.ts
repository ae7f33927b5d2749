import { type DeliveryState, Prisma } from '../../../generated/prisma/client.ts'
import type { Input } from '../../platform/api/endpoint.ts'
import type { listWebhookDeliveries as endpoint } from '../../platform/api/webhooks.ts'
import type { Context } from '../../platform/auth/context.ts'
import { literal } from '../../db/page-of-ids.ts'
import type { Value } from '../../db/statements.ts'
import { byId, paginate, type Range, rowsOfIds } from '../../core/paginate.ts'
import { countRows } from '../../records/counts/count-rows.ts'
import { readWebhook } from './read-webhook.ts'
import { deliveriesOf, type ShownDelivery } from './show-webhook.ts'

const { sql } = Prisma

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
        const rows = await rowsOfIds(
          () => undeliveredIdsOf(ctx, where, range),
          (ids) => ctx.db.webhookDelivery.findMany({ where: { id: { in: ids } }, orderBy: { id: range.direction } }),
        )
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

/**
 * Ids of deliveries that wait or have failed, which may be rare. The webhook is a range and stands in the order: the
 * planner, which takes no state for rare, would else walk all deliveries by the primary key.
 */
async function undeliveredIdsOf(
  ctx: Context,
  { webhookId, state, eventType }: { webhookId: string; state?: DeliveryState; eventType?: string },
  { after, direction, take }: Range,
): Promise<string[]> {
  const [beyond, order] =
    direction === 'asc' ? [Prisma.raw('>'), Prisma.raw('ASC')] : [Prisma.raw('<'), Prisma.raw('DESC')]
  const conditions = [
    sql`organization_id = ${ctx.organizationId}::uuid`,
    sql`webhook_id >= ${webhookId}::uuid AND webhook_id <= ${webhookId}::uuid`,
    ...(state ? [sql`state = ${literal(state)}`] : []),
    ...(eventType ? [sql`event_type = ${eventType}`] : []),
    ...(after === undefined ? [] : [sql`id ${beyond} ${after}::uuid`]),
  ]
  const { text, values } = sql`SELECT id::text FROM webhook_deliveries WHERE ${Prisma.join(conditions, ' AND ')}
    ORDER BY webhook_id ${order}, webhook_deliveries.id ${order} LIMIT ${take}`
  // Without a name it is planned for its values.
  const found = await ctx.rows<{ id: string }>({ name: '', text }, ...(values as Value[]))
  return found.map(({ id }) => id)
}
