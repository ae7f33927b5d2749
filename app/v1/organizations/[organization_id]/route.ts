import * as api from '@/lib/platform/api/organizations'
import { route, serve } from '@/lib/platform/http/serve'
import { getOrganization } from '@/lib/organizations/get-organization'
import { updateOrganization } from '@/lib/organizations/update-organization'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.getOrganization, (ctx, { params }) => getOrganization(ctx, params.organization_id)),
  serve(api.updateOrganization, (ctx, { params, body }) => updateOrganization(ctx, params.organization_id, body)),
)
