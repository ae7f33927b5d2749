import type { Input } from '../platform/api/endpoint.ts'
import type { listEmailClaims as endpoint } from '../platform/api/email-claims.ts'
import type { Context } from '../platform/auth/context.ts'
import { paginate, rowsOfIds } from '../core/paginate.ts'
import { idsOfClaims } from './claim-pages.ts'
import { countClaims } from './count-claims.ts'
import { findClaims } from './find-claims.ts'
import { emailClaimOf } from './show-claim.ts'
import type { ShownClaim } from './shown-claim.ts'

export const listClaims = (ctx: Context, query: Input<typeof endpoint>['query']) =>
  paginate(query, {
    list: ['claims', ctx.organizationId],
    key: (row: ShownClaim) => row.id,
    find: (range) =>
      rowsOfIds(
        () => idsOfClaims(ctx, query, range),
        (ids) => findClaims(ctx, ids),
      ),
    count: () => countClaims(ctx, query),
    show: (row) => emailClaimOf(ctx, row),
  })
