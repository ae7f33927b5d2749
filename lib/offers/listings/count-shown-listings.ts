import type { Context } from '../../platform/auth/context.ts'
import type { Statement } from '../../db/statements.ts'

/** Collections are found first: the planner would else look for the collection of each count. */
const COUNT: Statement = {
  name: 'count_shown_listings',
  text: `WITH shown AS MATERIALIZED (
      SELECT c.organization_id, c.id FROM collections c
      WHERE c.deployment_status = 'SUCCESS' AND c.is_public AND c.organization_id = $1::uuid
        AND ($2::uuid IS NULL OR c.id = $2::uuid))
    SELECT coalesce(sum(r.amount), 0)::bigint AS total
    FROM shown c
      JOIN row_counts r ON r.table_name = 'listings' AND r.organization_id = c.organization_id AND r.parent_id = c.id
    WHERE r.traits[1] <> 'DRAFT'`,
}

/** How many listings of an organization anyone may see, all or a collection's, without reading them. */
export async function countShownListings(
  ctx: Context,
  organizationId: string,
  collectionId: string | null,
): Promise<number> {
  const [row] = await ctx.rows<{ total: bigint }>(COUNT, organizationId, collectionId)
  return Number(row!.total)
}
