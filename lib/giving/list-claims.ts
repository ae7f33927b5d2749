import type { Input } from '../platform/api/endpoint.ts'
import type { listEmailClaims as endpoint } from '../platform/api/email-claims.ts'
import type { Context } from '../platform/auth/context.ts'
import type { Sorted } from '../core/page.ts'
import { paginate, type Range, rowsOfIds, sortedRows } from '../core/paginate.ts'
import { idsOfClaims, placesOfClaims } from './claim-pages.ts'
import { countClaims } from './count-claims.ts'
import { findClaims } from './find-claims.ts'
import { emailClaimOf } from './show-claim.ts'
import type { ShownClaim } from './shown-claim.ts'

type Query = Input<typeof endpoint>['query'] & Sorted<'STATE'>

export const listClaims = (ctx: Context, query: Query) =>
  paginate(query, {
    list: ['claims', ctx.organizationId],
    ...orderedBy(ctx, query),
    count: () => countClaims(ctx, query),
    show: (row) => emailClaimOf(ctx, row),
  })

function orderedBy(ctx: Context, { order_by, ...query }: Query) {
  const id = ({ id }: ShownClaim) => id
  const read = (ids: string[]) => findClaims(ctx, ids)
  if (order_by) return sortedRows({ id, read, findPlaces: (range) => placesOfClaims(ctx, query, range) })
  return { key: id, find: (range: Range) => rowsOfIds(() => idsOfClaims(ctx, query, range), read) }
}
