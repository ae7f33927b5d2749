import * as api from '../platform/api/history.ts'
import { getCollectionStats } from '../catalog/collections/collection-stats.ts'
import { contractMetadata } from '../catalog/collections/contract-metadata.ts'
import { publicTokenMetadata, tokenMetadata } from '../catalog/items/token-metadata.ts'
import { getCapability, listCapabilities } from '../offers/networks/get-capability.ts'
import { listNetworks } from '../offers/networks/list-networks.ts'
import { relay } from '../offers/networks/relay.ts'
import { itemHistory, listHistory } from '../onchain/history/list-history.ts'
import { itemOwners, listOwners } from '../onchain/history/list-owners.ts'
import { keptGet } from '../platform/http/hot/kept-get.ts'
import { serve } from '../platform/http/serve.ts'

export const handlers = {
  listCapabilities: serve(api.listCapabilities, () => listCapabilities()),
  getCapability: serve(api.getCapability, (_, { params }) => getCapability(params.capability)),
  collectionStats: serve(api.collectionStats, (ctx, { params }) => getCollectionStats(ctx, params.collection_id)),
  listHistory: serve(api.listHistory, (ctx, { params, query }) => listHistory(ctx, params.item_id, query), {
    direct: keptGet(api.listHistory, ...itemHistory),
  }),
  listOwners: serve(api.listOwners, (ctx, { params, query }) => listOwners(ctx, params.item_id, query), {
    direct: keptGet(api.listOwners, ...itemOwners),
  }),
  contractMetadata: serve(api.contractMetadata, (ctx, { params }) => contractMetadata(ctx, params.collection_id)),
  tokenMetadata: serve(
    api.tokenMetadata,
    (ctx, { params }) => tokenMetadata(ctx, params.collection_id, params.token_id),
    {
      direct: keptGet(api.tokenMetadata, publicTokenMetadata),
    },
  ),
  listNetworks: serve(api.listNetworks, (ctx, { query }) => listNetworks(ctx, query)),
  relay: serve(api.relay, (ctx, { params, body }) => relay(ctx, params.network_id, body)),
}
