import type { Context } from '../../platform/auth/context.ts'
import type { Statement } from '../../db/statements.ts'
import type { PublicItemFilter } from './item-filters.ts'

/** Without a name it is planned for its values: for one organization, or for all. */
const COUNT: Statement = {
  name: '',
  // Collections are found first: the planner would else look for the collection of each count.
  text: `WITH published AS MATERIALIZED (
      SELECT c.organization_id, c.id FROM collections c WHERE c.deployment_status = 'SUCCESS' AND c.is_public
        AND ($1::uuid IS NULL OR c.organization_id = $1::uuid) AND ($2::uuid[] IS NULL OR c.id = ANY ($2::uuid[]))
        AND ($3::int[] IS NULL OR c.network_id = ANY ($3::int[])))
    SELECT coalesce(sum(r.amount), 0)::bigint AS total
    FROM published c
      JOIN row_counts r ON r.table_name = 'items' AND r.organization_id = c.organization_id AND r.parent_id = c.id
    WHERE r.traits[1] = 'true'`,
}

/** How many locked items the deployed, public collections of a query have, exactly, without reading them. */
export async function countPublished(ctx: Context, query: PublicItemFilter): Promise<number> {
  const [row] = await ctx.rows<{ total: bigint }>(
    COUNT,
    query.organization_id || null,
    query.collection_ids.length > 0 ? query.collection_ids : null,
    query.network_ids.length > 0 ? query.network_ids : null,
  )
  return Number(row!.total)
}
