import * as api from '@/lib/api/item-types'
import { route, serve } from '@/lib/http/serve'
import { createItemType } from '@/lib/item-types/create-item-type'
import { listItemTypes } from '@/lib/item-types/list-item-types'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.listItemTypes, (ctx, { query }) => listItemTypes(ctx, query)),
  serve(api.createItemType, (ctx, { body }) => createItemType(ctx, body)),
)
