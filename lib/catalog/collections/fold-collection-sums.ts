import { Prisma } from '../../../generated/prisma/client.ts'
import type { SystemContext } from '../../platform/auth/context.ts'

const AT_ONCE = 5_000

/**
 * Adds what changed to the one row of each sum, and removes sums and owners of which nothing is left. Whoever reads
 * meanwhile finds a change either by itself or in its sum. Two at once do no harm: each adds the rows that it deleted
 * itself.
 */
export async function foldCollectionSums(worker: SystemContext): Promise<void> {
  for (let folded = AT_ONCE; folded === AT_ONCE;) folded = await countOf(worker, FOLD)
  for (let removed = AT_ONCE; removed === AT_ONCE;) removed = await countOf(worker, REMOVE_OWNERS)
}

async function countOf(worker: SystemContext, statement: Prisma.Sql): Promise<number> {
  const [done] = await worker.sql<{ count: number }>(statement)
  return done!.count
}

const FOLD = Prisma.sql`
  WITH due AS MATERIALIZED (SELECT id FROM collection_sums WHERE NOT folded OR amount = 0 LIMIT ${AT_ONCE}),
  gone AS (
    DELETE FROM collection_sums WHERE id IN (SELECT id FROM due)
    RETURNING organization_id, collection_id, kind, name, value, amount),
  sums AS (
    INSERT INTO collection_sums AS s (organization_id, collection_id, kind, name, value, amount, folded)
    SELECT organization_id, collection_id, kind, name, value, sum(amount), true FROM gone
    GROUP BY 1, 2, 3, 4, 5 HAVING sum(amount) <> 0
    ORDER BY collection_id, kind, name, md5(value)
    ON CONFLICT (collection_id, kind, name, md5(value)) WHERE folded DO UPDATE SET amount = s.amount + excluded.amount)
  SELECT count(*)::int AS count FROM due`

/** Rows that the indexer has locked are left for the next time. */
const REMOVE_OWNERS = Prisma.sql`
  WITH due AS MATERIALIZED (
    SELECT collection_id, address FROM collection_owners WHERE items = 0 LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED),
  gone AS (
    DELETE FROM collection_owners o USING due WHERE o.collection_id = due.collection_id AND o.address = due.address)
  SELECT count(*)::int AS count FROM due`
