import type { Output } from '../../platform/api/endpoint.ts'
import type { getPublicCollection as endpoint } from '../../platform/api/collections.ts'
import { type HotRead, oneRow } from '../../platform/http/hot/hot-read.ts'
import { publicCollectionOf, type PublicCollectionRow } from './show-collection.ts'

/** The columns of `collections c` that the public view shows. */
export const COLLECTION_COLUMNS = `c.id, c.organization_id AS "organizationId", c.name, c.symbol, c.soulbound, c.description,
  c.external_link AS "externalLink", c.image_url AS "imageUrl", c.header_image_url AS "headerImageUrl",
  c.thumbnail_image_url AS "thumbnailImageUrl", c.base_uri AS "baseUri", c.deployment_type AS "deploymentType",
  c.deployment_status AS "deploymentStatus", c.max_supply AS "maxSupply", c.editable_metadata AS "editableMetadata",
  c.royalty_receiver AS "royaltyReceiver", c.royalty_bps AS "royaltyBps", c.created_at AS "createdAt",
  c.contract_address AS "contractAddress", c.network_id AS "networkId", c.token_type AS "tokenType",
  c.reveal_strategy AS "revealStrategy", c.revealed_at AS "revealedAt", c.reveal_commitment AS "revealCommitment",
  c.reveal_provenance AS "revealProvenance", c.revealed_seed AS "revealedSeed"`

/** Deployed, public collections. */
export const publicCollection: HotRead<
  { params: { collection_id: string } },
  PublicCollectionRow,
  Output<typeof endpoint>
> = {
  ...oneRow('public_collection', {
    key: { id: 'uuid' },
    from: `FROM collections c WHERE c.id = asked.id AND c.deployment_status = 'SUCCESS' AND c.is_public`,
    version: 'c.xmin',
    columns: COLLECTION_COLUMNS,
  }),
  keyOf: ({ params }) => [params.collection_id],
  show: ([row], _, moment) => publicCollectionOf(moment, row!),
}
