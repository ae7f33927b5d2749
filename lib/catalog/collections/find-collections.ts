import type { Context } from '../../platform/auth/context.ts'
import type { Statement } from '../../db/statements.ts'
import { ADMIN_COLUMNS, type AdminCollectionRow, COLLECTION_COLUMNS, shownCollectionOf } from './show-collection.ts'

export type AdminCollection = ReturnType<typeof shownCollectionOf>

/** The columns of collections that their organization sees, of the tables in `ADMIN_COLLECTION_FROM`. */
export const ADMIN_COLLECTION_COLUMNS = `${COLLECTION_COLUMNS}, ${ADMIN_COLUMNS}, d.failure AS "deploymentFailure"`

/** Collections with the transactions of their failed deployments. */
export const ADMIN_COLLECTION_FROM = `collections c LEFT JOIN transactions d
  ON c.deployment_status = 'FAILED' AND d.organization_id = c.organization_id AND d.id = c.deployment_transaction_id`

const COLLECTIONS: Statement = {
  name: 'admin_collections',
  text: `SELECT ${ADMIN_COLLECTION_COLUMNS} FROM ${ADMIN_COLLECTION_FROM}
    WHERE c.organization_id = $1::uuid AND c.id = ANY($2::uuid[])`,
}

/** Collections by their ids, read in one statement. Ids that aren't found are missing from the map. */
export async function findCollections(ctx: Context, ids: readonly string[]): Promise<Map<string, AdminCollection>> {
  if (ids.length === 0) return new Map()
  const rows = await ctx.rows<AdminCollectionRow>(COLLECTIONS, ctx.organizationId, [...new Set(ids)])
  return new Map(rows.map((row) => [row.id, shownCollectionOf(ctx, row)]))
}
