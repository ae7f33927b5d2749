import { Prisma } from '../../../generated/prisma/client.ts'
import type { SystemContext } from '../../platform/auth/context.ts'

const AT_ONCE = 5_000

/**
 * Replaces amounts by their sums, so that totals have few rows to add up. Whoever reads meanwhile finds the old rows or
 * the new one. Two at once do no harm: each replaces the rows that it deleted itself.
 */
export async function foldCounts(worker: SystemContext): Promise<void> {
  for (let folded = AT_ONCE; folded === AT_ONCE;) folded = await foldSome(worker)
}

async function foldSome(worker: SystemContext): Promise<number> {
  const [done] = await worker.sql<{ folded: bigint }>(Prisma.sql`
    WITH due AS MATERIALIZED (SELECT id, table_name, organization_id, parent_id, traits FROM row_counts
        WHERE NOT folded LIMIT ${AT_ONCE}),
    gone AS (
      DELETE FROM row_counts WHERE id IN (
        SELECT id FROM due
        UNION SELECT c.id FROM (SELECT DISTINCT table_name, organization_id, parent_id, traits FROM due) k
          JOIN row_counts c USING (table_name, organization_id, parent_id, traits) WHERE c.folded
      ) RETURNING *),
    sums AS (
      INSERT INTO row_counts (organization_id, table_name, parent_id, traits, amount, folded)
      SELECT organization_id, table_name, parent_id, traits, sum(amount), true FROM gone GROUP BY 1, 2, 3, 4
      HAVING sum(amount) <> 0)
    SELECT count(*) AS folded FROM due`)
  return Number(done!.folded)
}
