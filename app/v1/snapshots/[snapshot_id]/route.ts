import * as api from '@/lib/platform/api/snapshots'
import { route, serve } from '@/lib/platform/http/serve'
import { getSnapshot } from '@/lib/data/snapshots/get-snapshot'
import { updateSnapshot } from '@/lib/data/snapshots/update-snapshot'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.getSnapshot, (ctx, { params }) => getSnapshot(ctx, params.snapshot_id)),
  serve(api.updateSnapshot, (ctx, { params, body }) => updateSnapshot(ctx, params.snapshot_id, body)),
)
