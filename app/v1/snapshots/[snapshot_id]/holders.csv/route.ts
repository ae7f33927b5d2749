import * as api from '@/lib/platform/api/snapshots'
import { route, serve } from '@/lib/platform/http/serve'
import { getSnapshotHolders } from '@/lib/data/snapshots/get-snapshot-holders'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.getSnapshotHolders, (ctx, { params }) => getSnapshotHolders(ctx, params.snapshot_id)),
)
