import type { Prisma } from '../../generated/prisma/client.ts'
import type { Input } from '../platform/api/endpoint.ts'
import type { listEmailClaims as endpoint } from '../platform/api/email-claims.ts'
import type { PageQuery } from '../core/page.ts'
import { beginningOfMailbox } from '../db/mailbox-begins.ts'
import { REDEEMED } from './claim-state.ts'

export type ClaimFilter = Omit<Input<typeof endpoint>['query'], keyof PageQuery>
type Where = Prisma.EmailClaimWhereInput

/** States as shown to people: an expired claim counts as expired before the worker has marked it. */
export function whereOf(query: ClaimFilter, now: Date): Where {
  const lasts: Where = { OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] }
  const active: Where = { state: 'OPEN', ...lasts }
  const redeemed: Where = { state: { in: [...REDEEMED] } }
  const states: Record<NonNullable<ClaimFilter['state']>, Where> = {
    ACTIVE: active,
    CLAIMED: redeemed,
    REVOKED: { state: 'REVOKED' },
    LOCKED: { state: 'LOCKED', ...lasts },
    EXPIRED: { OR: [{ state: 'EXPIRED' }, { state: { in: ['OPEN', 'LOCKED'] }, expiresAt: { lte: now } }] },
  }
  const sought = (flag: 'true' | 'false' | null | undefined, where: Where): Where =>
    flag == null ? {} : flag === 'true' ? where : { NOT: where }
  return {
    ...(query.item_id && { itemId: query.item_id }),
    ...(query.collection_id && { collectionId: query.collection_id }),
    ...(query.campaign_id && { campaignId: query.campaign_id, campaign: { deletedAt: null } }),
    ...(query.email && { email: query.email }),
    ...(query.search && { email: { startsWith: beginningOfMailbox(query.search) } }),
    AND: [query.state ? states[query.state] : {}, sought(query.active, active), sought(query.claimed, redeemed)],
  }
}
