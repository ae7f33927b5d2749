import type { Context } from '../../platform/auth/context.ts'
import type { Statement } from '../../db/statements.ts'
import { type AdminCollectionRow, shownCollectionOf } from './show-collection.ts'

export type AdminCollection = ReturnType<typeof shownCollectionOf>

/** The columns of collections that their organization sees, of the tables in `ADMIN_COLLECTION_FROM`. */
export const ADMIN_COLLECTION_COLUMNS = `c.id, c.organization_id AS "organizationId", c.name, c.symbol, c.soulbound, c.description,
  c.external_link AS "externalLink", c.image_url AS "imageUrl", c.header_image_url AS "headerImageUrl",
  c.thumbnail_image_url AS "thumbnailImageUrl", c.base_uri AS "baseUri", c.deployment_type AS "deploymentType",
  c.deployment_status AS "deploymentStatus", c.deployment_transaction_id AS "deploymentTransactionId", c.max_supply AS "maxSupply",
  c.editable_metadata AS "editableMetadata", c.royalty_receiver AS "royaltyReceiver", c.royalty_bps AS "royaltyBps",
  c.contract_address AS "contractAddress", c.contract_version AS "contractVersion", c.network_id AS "networkId",
  c.token_type AS "tokenType", c.is_public AS "isPublic",
  c.default_item_type_id AS "defaultItemTypeId", c.reveal_strategy AS "revealStrategy", c.revealed_at AS "revealedAt",
  c.reveal_commitment AS "revealCommitment", c.reveal_provenance AS "revealProvenance", c.revealed_seed AS "revealedSeed",
  c.preview_metadata AS "previewMetadata", c.token_id_assignment AS "tokenIdAssignment", c.minter, c.owner, c.mode,
  c.created_at AS "createdAt", c.updated_at AS "updatedAt", d.failure AS "deploymentFailure"`

/** Collections with the transactions of their failed deployments. */
export const ADMIN_COLLECTION_FROM = `collections c LEFT JOIN transactions d
  ON c.deployment_status = 'FAILED' AND d.organization_id = c.organization_id AND d.id = c.deployment_transaction_id`

const COLLECTIONS: Statement = {
  name: 'admin_collections',
  text: `SELECT ${ADMIN_COLLECTION_COLUMNS} FROM ${ADMIN_COLLECTION_FROM} WHERE c.organization_id = $1::uuid AND c.id = ANY($2::uuid[])`,
}

/** Collections by their ids, read in one statement. Ids that aren't found are missing from the map. */
export async function findCollections(ctx: Context, ids: readonly string[]): Promise<Map<string, AdminCollection>> {
  if (ids.length === 0) return new Map()
  const rows = await ctx.rows<AdminCollectionRow>(COLLECTIONS, ctx.organizationId, [...new Set(ids)])
  return new Map(rows.map((row) => [row.id, shownCollectionOf(ctx, row)]))
}
