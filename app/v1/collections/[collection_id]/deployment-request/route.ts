import * as api from '@/lib/platform/api/deployments'
import { getDeployment } from '@/lib/catalog/collections/get-deployment'
import { requestDeployment } from '@/lib/catalog/collections/request-deployment'
import { route, serve } from '@/lib/platform/http/serve'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.getDeployment, (ctx, { params }) => getDeployment(ctx, params.collection_id)),
  serve(api.requestDeployment, (ctx, { params, body }) => requestDeployment(ctx, params.collection_id, body)),
)
