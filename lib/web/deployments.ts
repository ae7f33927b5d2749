import * as api from '../platform/api/deployments.ts'
import { getDeployment } from '../catalog/collections/get-deployment.ts'
import { requestDeployment } from '../catalog/collections/request-deployment.ts'
import { readMetadataAgain } from '../catalog/items/read-metadata-again.ts'
import { serve } from '../platform/http/serve.ts'

export const handlers = {
  getDeployment: serve(api.getDeployment, (ctx, { params }) => getDeployment(ctx, params.collection_id)),
  requestDeployment: serve(api.requestDeployment, (ctx, { params, body }) =>
    requestDeployment(ctx, params.collection_id, body),
  ),
  refreshMetadata: serve(api.refreshMetadata, (ctx, { params, body }) =>
    readMetadataAgain(ctx, params.collection_id, body),
  ),
}
