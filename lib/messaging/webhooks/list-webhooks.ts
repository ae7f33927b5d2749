import type { Webhook } from '../../../generated/prisma/client.ts'
import type { Input } from '../../platform/api/endpoint.ts'
import type { listWebhooks as endpoint } from '../../platform/api/webhooks.ts'
import type { Context } from '../../platform/auth/context.ts'
import { byId, paginate } from '../../core/paginate.ts'
import { webhooksOf } from './show-webhook.ts'

export function listWebhooks(ctx: Context, query: Input<typeof endpoint>['query']) {
  const where = { ...(query.status && { status: query.status }) }
  return paginate(query, {
    list: ['webhooks', ctx.organizationId],
    key: (row: Webhook) => row.id,
    find: (range) => {
      const { where: after, ...rest } = byId(range)
      return ctx.db.webhook.findMany({ where: { AND: [where, after] }, ...rest })
    },
    count: () => ctx.db.webhook.count({ where }),
    showAll: (rows) => webhooksOf(ctx, rows),
  })
}
