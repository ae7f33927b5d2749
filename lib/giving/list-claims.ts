import type { Prisma } from '../../generated/prisma/client.ts'
import type { Input } from '../platform/api/endpoint.ts'
import type { listEmailClaims as endpoint } from '../platform/api/email-claims.ts'
import type { Context } from '../platform/auth/context.ts'
import { byId, paginate, type PageQuery } from '../core/page.ts'
import { type ClaimRow, inFull } from './read-claim.ts'
import { emailClaimOf } from './show-claim.ts'

type Filter = Omit<Input<typeof endpoint>['query'], keyof PageQuery>
type Where = Prisma.EmailClaimWhereInput

export function listClaims(ctx: Context, query: Input<typeof endpoint>['query']) {
  const where = whereOf(query, ctx.now())
  return paginate(query, {
    key: (row: ClaimRow) => row.id,
    find: (range) => {
      const { where: after, ...rest } = byId(range)
      return ctx.db.emailClaim.findMany({ where: { AND: [where, after] }, ...rest, ...inFull })
    },
    count: () => ctx.db.emailClaim.count({ where }),
    show: (row) => emailClaimOf(ctx, row),
  })
}

/** States as shown to people: an expired claim counts as expired before the worker has marked it. */
export function whereOf(query: Filter, now: Date): Where {
  const lasts: Where = { OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] }
  const active: Where = { state: 'OPEN', ...lasts }
  const claimed: Where = { state: { in: ['REDEEMED', 'CLAIMED'] } }
  const states: Record<NonNullable<Filter['state']>, Where> = {
    ACTIVE: active,
    CLAIMED: claimed,
    REVOKED: { state: 'REVOKED' },
    LOCKED: { state: 'LOCKED', ...lasts },
    EXPIRED: { OR: [{ state: 'EXPIRED' }, { state: { in: ['OPEN', 'LOCKED'] }, expiresAt: { lte: now } }] },
  }
  const sought = (flag: 'true' | 'false' | null | undefined, where: Where): Where =>
    flag == null ? {} : flag === 'true' ? where : { NOT: where }
  return {
    ...(query.item_id && { itemId: query.item_id }),
    ...(query.collection_id && { collectionId: query.collection_id }),
    ...(query.campaign_id && { campaignId: query.campaign_id }),
    ...(query.email && { email: query.email }),
    AND: [query.state ? states[query.state] : {}, sought(query.active, active), sought(query.claimed, claimed)],
  }
}
