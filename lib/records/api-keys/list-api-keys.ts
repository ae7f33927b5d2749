import type { Input } from '../../platform/api/endpoint.ts'
import type { listApiKeys as endpoint } from '../../platform/api/api-keys.ts'
import type { Context } from '../../platform/auth/context.ts'
import { byId, paginate } from '../../core/paginate.ts'
import { apiKeyOf } from './show-api-key.ts'

export const listApiKeys = (ctx: Context, query: Input<typeof endpoint>['query']) =>
  paginate(query, {
    list: ['api_keys', ctx.organizationId],
    key: (row) => row.id,
    find: (range) => {
      const { where, ...rest } = byId(range)
      return ctx.db.apiKey.findMany({ where: { ...where, revokedAt: null }, ...rest })
    },
    count: () => ctx.db.apiKey.count({ where: { revokedAt: null } }),
    show: apiKeyOf,
  })
