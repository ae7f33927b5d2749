import { Prisma } from '../../generated/prisma/client.ts'
import type { LongRange, Place, Range } from '../core/paginate.ts'
import { mailboxBegins } from '../db/mailbox-begins.ts'
import { pageOfIds, pageOfParts } from '../db/page-of-ids.ts'
import { placesByParts } from '../db/sorted-ids.ts'
import type { Context } from '../platform/auth/context.ts'
import type { ClaimFilter } from './claim-filters.ts'
import { REDEEMED } from './claim-state.ts'

const { sql } = Prisma

/**
 * Claims of a state by its index; `overdue`: only those that have expired without being marked yet, or only the others.
 */
type Part = { states: readonly string[]; overdue?: boolean }
const OPEN: Part = { states: ['OPEN'], overdue: false }
const OPEN_OVERDUE: Part = { states: ['OPEN'], overdue: true }
const LOCKED: Part = { states: ['LOCKED'], overdue: false }
const LOCKED_OVERDUE: Part = { states: ['LOCKED'], overdue: true }
const EXPIRED: Part = { states: ['EXPIRED'] }
const REVOKED: Part = { states: ['REVOKED'] }
const WAS_REDEEMED: Part = { states: REDEEMED }
const ALL = [OPEN, OPEN_OVERDUE, LOCKED, LOCKED_OVERDUE, EXPIRED, REVOKED, WAS_REDEEMED]

const OF_STATE: Record<NonNullable<ClaimFilter['state']>, readonly Part[]> = {
  ACTIVE: [OPEN],
  CLAIMED: [WAS_REDEEMED],
  REVOKED: [REVOKED],
  LOCKED: [LOCKED],
  EXPIRED: [EXPIRED, OPEN_OVERDUE, LOCKED_OVERDUE],
}

/** In the order by which claims are sorted. */
const STATES = ['ACTIVE', 'LOCKED', 'CLAIMED', 'EXPIRED', 'REVOKED'] as const

/** The parts that a filter of states asks for (as `whereOf` does); null where it asks for none. */
function partsOf({ state, active, claimed }: ClaimFilter): readonly Part[] | null {
  if (!state && active == null && claimed == null) return null
  return ALL.filter(
    (part) =>
      (!state || OF_STATE[state].includes(part)) &&
      (active == null || (part === OPEN) === (active === 'true')) &&
      (claimed == null || (part === WAS_REDEEMED) === (claimed === 'true')),
  )
}

/** The ids of a page of claims. Of some states there may be few. */
export async function idsOfClaims(ctx: Context, query: ClaimFilter, range: Range): Promise<string[]> {
  const others = othersOf(ctx, query)
  const parts = partsOf(query)
  if (!parts) return pageOfIds(ctx, 'email_claims', others, range)
  const now = ctx.now()
  return pageOfParts(
    ctx,
    'email_claims',
    parts.map((part) => ({ conditions: [...conditionsOf(part, now), ...others] })),
    range,
  )
}

/** The places of a page of claims that are sorted by their states. */
export function placesOfClaims(ctx: Context, query: ClaimFilter, range: LongRange): Promise<Place[]> {
  const now = ctx.now()
  const rows = { table: 'email_claims', as: 'email_claims', conditions: othersOf(ctx, query) }
  const parts = (partsOf(query) ?? ALL).map((part) => ({
    rank: STATES.findIndex((state) => OF_STATE[state].includes(part)),
    conditions: conditionsOf(part, now),
  }))
  return placesByParts(ctx, rows, parts, range)
}

/** All conditions of a filter on claims. */
export function conditionsOfClaims(ctx: Context, query: ClaimFilter): Prisma.Sql[] {
  const now = ctx.now()
  const states = partsOf(query)?.map((part) => sql`(${Prisma.join(conditionsOf(part, now), ' AND ')})`)
  const inStates = states?.length === 0 ? sql`false` : states && sql`(${Prisma.join(states, ' OR ')})`
  return [...othersOf(ctx, query), ...(inStates ? [inStates] : [])]
}

const othersOf = (ctx: Context, query: ClaimFilter): Prisma.Sql[] => [
  sql`organization_id = ${ctx.organizationId}::uuid`,
  ...(query.item_id ? [sql`item_id = ${query.item_id}::uuid`] : []),
  ...(query.collection_id ? [sql`collection_id = ${query.collection_id}::uuid`] : []),
  ...(query.email ? [sql`email = ${query.email}`] : []),
  ...(query.search ? [mailboxBegins('email', query.search)] : []),
  // A deleted campaign is seen by nobody.
  ...(query.campaign_id
    ? [
        sql`campaign_id = ${query.campaign_id}::uuid
          AND EXISTS (SELECT 1 FROM campaigns WHERE id = ${query.campaign_id}::uuid)`,
      ]
    : []),
]

function conditionsOf({ states, overdue }: Part, now: Date): Prisma.Sql[] {
  const [state, ...more] = states
  const inState =
    more.length > 0
      ? sql`state IN (${Prisma.join(states.map((one) => Prisma.raw(`'${one}'`)))})`
      : sql`state = ${Prisma.raw(`'${state}'`)}`
  if (overdue === undefined) return [inState]
  // Few are overdue, and the index of when claims expire finds them: the planner would else walk all that are open.
  return overdue
    ? [
        inState,
        sql`id = ANY (ARRAY(SELECT o.id FROM email_claims o
          WHERE o.state IN ('OPEN', 'LOCKED') AND o.expires_at <= ${now}))`,
      ]
    : [inState, sql`(expires_at IS NULL OR expires_at > ${now})`]
}
