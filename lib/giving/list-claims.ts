import type { Input } from '../platform/api/endpoint.ts'
import type { listEmailClaims as endpoint } from '../platform/api/email-claims.ts'
import type { Context } from '../platform/auth/context.ts'
import { byId, paginate } from '../core/page.ts'
import { whereOf } from './claim-filters.ts'
import { claimsInStates } from './claim-pages.ts'
import { countClaims } from './count-claims.ts'
import { type ClaimRow, inFull } from './read-claim.ts'
import { emailClaimOf } from './show-claim.ts'

export function listClaims(ctx: Context, query: Input<typeof endpoint>['query']) {
  const where = whereOf(query, ctx.now())
  return paginate(query, {
    key: (row: ClaimRow) => row.id,
    find: async (range) => {
      const ids = await claimsInStates(ctx, query, range)
      if (ids)
        return ctx.db.emailClaim.findMany({ where: { id: { in: ids } }, orderBy: { id: range.direction }, ...inFull })
      const { where: after, ...rest } = byId(range)
      return ctx.db.emailClaim.findMany({ where: { AND: [where, after] }, ...rest, ...inFull })
    },
    count: () => countClaims(ctx, query, where),
    show: (row) => emailClaimOf(ctx, row),
  })
}
