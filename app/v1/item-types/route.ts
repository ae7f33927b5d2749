import * as api from '@/lib/platform/api/item-types'
import { route, serve } from '@/lib/platform/http/serve'
import { createItemType } from '@/lib/catalog/item-types/create-item-type'
import { listItemTypes } from '@/lib/catalog/item-types/list-item-types'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.listItemTypes, (ctx, { query }) => listItemTypes(ctx, query)),
  serve(api.createItemType, (ctx, { body }) => createItemType(ctx, body)),
)
