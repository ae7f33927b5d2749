import type { Suppression } from '../../../generated/prisma/client.ts'
import type { Input } from '../../platform/api/endpoint.ts'
import type { listSuppressions as endpoint } from '../../platform/api/email-integrations.ts'
import type { Context } from '../../platform/auth/context.ts'
import { byId, paginate } from '../../core/paginate.ts'
import { countRows } from '../../records/counts/count-rows.ts'

export function listSuppressions(ctx: Context, query: Input<typeof endpoint>['query']) {
  const { email, reason } = query
  const where = { ...(email && { email }), ...(reason && { reason }) }
  return paginate(query, {
    list: ['suppressions', ctx.organizationId],
    key: (row: Suppression) => row.id,
    find: (range) => {
      const { where: after, ...rest } = byId(range)
      return ctx.db.suppression.findMany({ where: { AND: [where, after] }, ...rest })
    },
    count: () =>
      email ? ctx.db.suppression.count({ where }) : countRows(ctx, { table: 'suppressions', traits: { reason } }),
    show: (row) => ({
      id: row.id,
      email: row.email,
      reason: row.reason,
      detail: row.detail,
      created_at: row.createdAt,
    }),
  })
}
