import * as api from '@/lib/platform/api/allow-lists'
import { route, serve } from '@/lib/platform/http/serve'
import { changeAllowList } from '@/lib/offers/listings/change-allow-list'
import { listAllowances } from '@/lib/offers/listings/list-allowances'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.listAllowances, (ctx, { params, query }) => listAllowances(ctx, params.listing_id, query)),
  serve(api.changeAllowList, (ctx, { params, body }) => changeAllowList(ctx, params.listing_id, body)),
)
