import type { Input } from '../../platform/api/endpoint.ts'
import type { listPaymentIntegrations as endpoint } from '../../platform/api/payments.ts'
import type { Context } from '../../platform/auth/context.ts'
import { byId, paginate } from '../../core/paginate.ts'
import { paymentIntegrationOf } from './show-integration.ts'

export const listIntegrations = (ctx: Context, query: Input<typeof endpoint>['query']) =>
  paginate(query, {
    list: ['payment_integrations', ctx.organizationId],
    key: (row) => row.id,
    find: (range) => ctx.db.paymentIntegration.findMany(byId(range)),
    count: () => ctx.db.paymentIntegration.count(),
    show: paymentIntegrationOf,
  })
