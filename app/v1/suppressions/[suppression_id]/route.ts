import * as api from '@/lib/platform/api/email-integrations'
import { deleteSuppression } from '@/lib/messaging/email-integrations/delete-suppression'
import { route, serve } from '@/lib/platform/http/serve'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.deleteSuppression, (ctx, { params }) => deleteSuppression(ctx, params.suppression_id)),
)
