import type { Import } from '../../../generated/prisma/client.ts'
import type { Input } from '../../platform/api/endpoint.ts'
import type { listImports as endpoint } from '../../platform/api/imports.ts'
import type { Context } from '../../platform/auth/context.ts'
import { byId, paginate } from '../../core/paginate.ts'
import { totalById } from '../../records/counts/total-of.ts'
import { importsOf } from './show-import.ts'

export function listImports(ctx: Context, query: Input<typeof endpoint>['query']) {
  const where = { ...(query.kind && { kind: query.kind }), ...(query.state && { state: query.state }) }
  return paginate(query, {
    list: ['imports', ctx.organizationId],
    key: (row: Import) => row.id,
    find: (range) => {
      const { where: after, ...rest } = byId(range)
      return ctx.db.import.findMany({ where: { AND: [where, after] }, ...rest })
    },
    count: () => totalById(ctx, 'imports', where, (args) => ctx.db.import.count(args)),
    showAll: (rows) => importsOf(ctx, rows),
  })
}
