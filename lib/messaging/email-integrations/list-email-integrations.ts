import type { EmailIntegration } from '../../../generated/prisma/client.ts'
import type { Input } from '../../platform/api/endpoint.ts'
import type { listEmailIntegrations as endpoint } from '../../platform/api/email-integrations.ts'
import type { Context } from '../../platform/auth/context.ts'
import { byId, paginate } from '../../core/paginate.ts'
import { emailIntegrationOf } from './show-email-integration.ts'

export const listEmailIntegrations = (ctx: Context, query: Input<typeof endpoint>['query']) =>
  paginate(query, {
    list: ['email_integrations', ctx.organizationId],
    key: (row: EmailIntegration) => row.id,
    find: (range) => ctx.db.emailIntegration.findMany(byId(range)),
    count: () => ctx.db.emailIntegration.count(),
    show: (row) => emailIntegrationOf(ctx, row),
  })
