import { Prisma } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'

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

/** The organization's totals, in one query. */
export async function getOverview(ctx: Context): Promise<Overview> {
  const organization = Prisma.sql`${ctx.organizationId}::uuid`
  const [counts] = await ctx.sql<Overview>(Prisma.sql`
    SELECT * FROM
      (SELECT count(*)::int AS collections, count(*) FILTER (WHERE deployment_status = 'SUCCESS')::int AS live FROM collections WHERE organization_id = ${organization}) c,
      (SELECT count(*)::int AS items, count(*) FILTER (WHERE locked_at IS NOT NULL)::int AS locked, count(*) FILTER (WHERE minted > 0)::int AS minted
       FROM items WHERE organization_id = ${organization}) i,
      (SELECT count(*)::int AS claims, count(*) FILTER (WHERE state IN ('REDEEMED', 'CLAIMED'))::int AS claimed,
         count(*) FILTER (WHERE state = 'OPEN' AND (expires_at IS NULL OR expires_at > ${ctx.now().toISOString()}::timestamptz))::int AS waiting
       FROM email_claims WHERE organization_id = ${organization}) e,
      (SELECT count(*)::int AS listings, count(*) FILTER (WHERE status = 'ACTIVE')::int AS selling FROM listings WHERE organization_id = ${organization}) l,
      (SELECT count(*)::int AS purchases FROM purchase_intents WHERE organization_id = ${organization} AND status IN ('CONFIRMED', 'UNRESOLVED')) p`)
  return counts!
}
