import type { Context } from '../../platform/auth/context.ts'
import type { Statement } from '../../db/statements.ts'

export type Overview = {
  collections: number
  live: number
  items: number
  locked: number
  minted: number
  claims: number
  waiting: number
  claimed: number
  listings: number
  selling: number
  purchases: number
}

/**
 * Items, claims and purchases are counted as totals of lists are (lib/records/counts). An item that was burned was
 * minted. Claims that are over are found by when they expire: a condition on OPEN alone would have all open ones read.
 */
const OVERVIEW: Statement = {
  name: 'overview',
  text: `
    SELECT collections, live, items, locked, minted, claims, claims_open - claims_over AS waiting, claimed, listings,
      selling, purchases FROM
      (SELECT count(*)::int AS collections, count(*) FILTER (WHERE deployment_status = 'SUCCESS')::int AS live
          FROM collections WHERE organization_id = $1::uuid) c,
      (SELECT count(*)::int AS listings, count(*) FILTER (WHERE status = 'ACTIVE')::int AS selling FROM listings
          WHERE organization_id = $1::uuid) l,
      (SELECT coalesce(sum(amount), 0)::int AS items,
          coalesce(sum(amount) FILTER (WHERE traits[1] = 'true'), 0)::int AS locked,
         coalesce(sum(amount) FILTER (WHERE traits[2] IN ('MINTED', 'BURNED')), 0)::int AS minted
       FROM row_counts WHERE table_name = 'items' AND organization_id = $1::uuid) i,
      (SELECT coalesce(sum(amount), 0)::int AS claims,
          coalesce(sum(amount) FILTER (WHERE traits[2] IN ('REDEEMED', 'CLAIMED')), 0)::int AS claimed,
         coalesce(sum(amount) FILTER (WHERE traits[2] = 'OPEN'), 0)::int AS claims_open
       FROM row_counts WHERE table_name = 'email_claims' AND organization_id = $1::uuid) e,
      (SELECT count(*) FILTER (WHERE state = 'OPEN')::int AS claims_over FROM email_claims
          WHERE organization_id = $1::uuid AND state IN ('OPEN', 'LOCKED') AND expires_at <= $2::timestamptz) o,
      (SELECT coalesce(sum(amount) FILTER (WHERE traits[1] IN ('CONFIRMED', 'UNRESOLVED')), 0)::int AS purchases
       FROM row_counts WHERE table_name = 'purchase_intents' AND organization_id = $1::uuid) p`,
}

/** The organization's totals, in one statement. */
export async function getOverview(ctx: Context): Promise<Overview> {
  const [counts] = await ctx.rows<Overview>(OVERVIEW, ctx.organizationId, ctx.now())
  return counts!
}
