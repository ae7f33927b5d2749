import type { Context } from '../platform/auth/context.ts'
import type { Total } from '../core/page.ts'
import type { Statement } from '../db/statements.ts'
import { totalWhere } from '../records/counts/total-of.ts'
import type { ClaimFilter } from './claim-filters.ts'
import { conditionsOfClaims } from './claim-pages.ts'
import { REDEEMED } from './claim-state.ts'

/**
 * The number of claims by state, and of those that have expired without being marked yet. A deleted campaign, which
 * nobody sees, has none.
 */
const COUNT: Statement = {
  name: 'count_claims',
  text: `SELECT * FROM (
    SELECT traits[2] AS state, false AS overdue, sum(amount)::bigint AS claims FROM row_counts
      WHERE table_name = 'email_claims' AND organization_id = $1::uuid AND ($2::uuid IS NULL OR parent_id = $2::uuid)
        AND ($3::text IS NULL OR traits[1] = $3::text) GROUP BY 1
    UNION ALL SELECT state::text, true, count(*) FROM email_claims
      WHERE state IN ('OPEN', 'LOCKED') AND organization_id = $1::uuid AND expires_at <= $4::timestamptz
        AND ($2::uuid IS NULL OR collection_id = $2::uuid) AND ($3::text IS NULL OR campaign_id = $3::text::uuid)
      GROUP BY 1
    ) counted WHERE $3::text IS NULL OR EXISTS (SELECT 1 FROM campaigns WHERE id = $3::text::uuid)`,
}

/** How many claims of an organization match, by their states as shown to people. */
export async function countClaims(ctx: Context, query: ClaimFilter): Promise<number | Total> {
  const { state, active, claimed } = query
  if (
    query.item_id ||
    query.email ||
    query.search ||
    [state, active, claimed].filter((sought) => sought != null).length > 1
  )
    return totalWhere(ctx, 'email_claims', conditionsOfClaims(ctx, query))
  const rows = await ctx.rows<{ state: string; overdue: boolean; claims: bigint }>(
    COUNT,
    ctx.organizationId,
    query.collection_id || null,
    query.campaign_id || null,
    ctx.now(),
  )
  const sum = (overdue: boolean, ...states: string[]): number =>
    rows
      .filter((row) => row.overdue === overdue && (states.length === 0 || states.includes(row.state)))
      .reduce((total, { claims }) => total + Number(claims), 0)
  const all = sum(false)
  const isActive = sum(false, 'OPEN') - sum(true, 'OPEN')
  const redeemed = sum(false, ...REDEEMED)
  if (active != null) return active === 'true' ? isActive : all - isActive
  if (claimed != null) return claimed === 'true' ? redeemed : all - redeemed
  const totals: Record<NonNullable<ClaimFilter['state']>, number> = {
    ACTIVE: isActive,
    CLAIMED: redeemed,
    REVOKED: sum(false, 'REVOKED'),
    LOCKED: sum(false, 'LOCKED') - sum(true, 'LOCKED'),
    EXPIRED: sum(false, 'EXPIRED') + sum(true),
  }
  return state ? totals[state] : all
}
