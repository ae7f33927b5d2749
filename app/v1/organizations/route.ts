import * as api from '@/lib/platform/api/organizations'
import { route, serve } from '@/lib/platform/http/serve'
import { listOrganizations } from '@/lib/organizations/list-organizations'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.listOrganizations, (ctx, { query }) => listOrganizations(ctx, query)),
)
