import * as api from '@/lib/api/snapshots'
import { route, serve } from '@/lib/http/serve'
import { getSnapshot } from '@/lib/snapshots/get-snapshot'
import { updateSnapshot } from '@/lib/snapshots/update-snapshot'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.getSnapshot, (ctx, { params }) => getSnapshot(ctx, params.snapshot_id)),
  serve(api.updateSnapshot, (ctx, { params, body }) => updateSnapshot(ctx, params.snapshot_id, body)),
)
