import * as api from '@/lib/api/snapshots'
import { route, serve } from '@/lib/http/serve'
import { getSnapshotHolders } from '@/lib/snapshots/get-snapshot-holders'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(serve(api.getSnapshotHolders, (ctx, { params }) => getSnapshotHolders(ctx, params.snapshot_id)))
