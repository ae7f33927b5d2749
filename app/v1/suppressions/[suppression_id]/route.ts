import * as api from '@/lib/api/email-integrations'
import { deleteSuppression } from '@/lib/email-integrations/delete-suppression'
import { route, serve } from '@/lib/http/serve'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(serve(api.deleteSuppression, (ctx, { params }) => deleteSuppression(ctx, params.suppression_id)))
