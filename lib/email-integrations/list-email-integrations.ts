import type { EmailIntegration } from '../../generated/prisma/client.ts'
import type { Input } from '../api/endpoint.ts'
import type { listEmailIntegrations as endpoint } from '../api/email-integrations.ts'
import type { Context } from '../auth/context.ts'
import { byId, paginate } from '../core/page.ts'
import { emailIntegrationOf } from './show-email-integration.ts'

export const listEmailIntegrations = (ctx: Context, query: Input<typeof endpoint>['query']) =>
  paginate(query, {
    key: (row: EmailIntegration) => row.id,
    find: (range) => ctx.db.emailIntegration.findMany(byId(range)),
    count: () => ctx.db.emailIntegration.count(),
    show: (row) => emailIntegrationOf(ctx, row),
  })
