import * as api from '@/lib/api/organizations'
import { route, serve } from '@/lib/http/serve'
import { listOrganizations } from '@/lib/organizations/list-organizations'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(serve(api.listOrganizations, (ctx, { query }) => listOrganizations(ctx, query)))
