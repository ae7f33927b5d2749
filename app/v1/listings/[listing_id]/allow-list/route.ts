import * as api from '@/lib/api/listings'
import { route, serve } from '@/lib/http/serve'
import { changeAllowList } from '@/lib/listings/change-allow-list'
import { listAllowances } from '@/lib/listings/list-allowances'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.listAllowances, (ctx, { params, query }) => listAllowances(ctx, params.listing_id, query)),
  serve(api.changeAllowList, (ctx, { params, body }) => changeAllowList(ctx, params.listing_id, body)),
)
