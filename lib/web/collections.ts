import * as api from '../platform/api/collections.ts'
import { createCollection } from '../catalog/collections/create-collection.ts'
import { deleteCollection } from '../catalog/collections/delete-collection.ts'
import { getCollection, getPublicCollection } from '../catalog/collections/get-collection.ts'
import { listCollections, listPublicCollections } from '../catalog/collections/list-collections.ts'
import { updateCollection } from '../catalog/collections/update-collection.ts'
import { publicCollection } from '../catalog/collections/public-collection.ts'
import { keptGet } from '../platform/http/hot/kept-get.ts'
import { serve } from '../platform/http/serve.ts'

export const handlers = {
  listCollections: serve(api.listCollections, (ctx, { query }) => listCollections(ctx, query)),
  createCollection: serve(api.createCollection, (ctx, { body }) => createCollection(ctx, body)),
  getCollection: serve(api.getCollection, (ctx, { params }) => getCollection(ctx, params.collection_id)),
  updateCollection: serve(api.updateCollection, (ctx, { params, body }) =>
    updateCollection(ctx, params.collection_id, body),
  ),
  deleteCollection: serve(api.deleteCollection, (ctx, { params }) => deleteCollection(ctx, params.collection_id)),
  listPublicCollections: serve(api.listPublicCollections, (ctx, { query }) => listPublicCollections(ctx, query)),
  getPublicCollection: serve(
    api.getPublicCollection,
    (ctx, { params }) => getPublicCollection(ctx, params.collection_id),
    {
      direct: keptGet(api.getPublicCollection, publicCollection),
    },
  ),
}
