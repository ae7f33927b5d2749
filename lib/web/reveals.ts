import * as api from '../platform/api/reveals.ts'
import { getReveal } from '../catalog/collections/get-reveal.ts'
import { revealCollection } from '../catalog/collections/reveal-collection.ts'
import { serve } from '../platform/http/serve.ts'

export const handlers = {
  revealCollection: serve(api.revealCollection, (ctx, { params }) => revealCollection(ctx, params.collection_id)),
  getReveal: serve(api.getReveal, (ctx, { params }) => getReveal(ctx, params.collection_id)),
}
