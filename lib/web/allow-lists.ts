import * as api from '../platform/api/allow-lists.ts'
import { changeAllowList } from '../offers/listings/change-allow-list.ts'
import { listAllowances } from '../offers/listings/list-allowances.ts'
import { serve } from '../platform/http/serve.ts'

export const handlers = {
  listAllowances: serve(api.listAllowances, (ctx, { params, query }) => listAllowances(ctx, params.listing_id, query)),
  changeAllowList: serve(api.changeAllowList, (ctx, { params, body }) => changeAllowList(ctx, params.listing_id, body)),
}
