import * as api from '../platform/api/search.ts'
import { search } from '../data/search/search.ts'
import { serve } from '../platform/http/serve.ts'

export const handlers = { search: serve(api.search, (ctx, { query }) => search(ctx, query)) }
