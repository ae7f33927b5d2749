import type { Output } from '../../platform/api/endpoint.ts'
import type { getPublicCollection as endpoint } from '../../platform/api/collections.ts'
import { type HotRead, oneRow } from '../../platform/http/hot/hot-read.ts'
import { COLLECTION_COLUMNS, publicCollectionOf, type PublicCollectionRow } from './show-collection.ts'

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
