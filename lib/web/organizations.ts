import * as api from '../platform/api/organizations.ts'
import { getOrganization } from '../organizations/get-organization.ts'
import { listOrganizations } from '../organizations/list-organizations.ts'
import { updateOrganization } from '../organizations/update-organization.ts'
import { serve } from '../platform/http/serve.ts'

export const handlers = {
  listOrganizations: serve(api.listOrganizations, (ctx, { query }) => listOrganizations(ctx, query)),
  getOrganization: serve(api.getOrganization, (ctx, { params }) => getOrganization(ctx, params.organization_id)),
  updateOrganization: serve(api.updateOrganization, (ctx, { params, body }) =>
    updateOrganization(ctx, params.organization_id, body),
  ),
}
