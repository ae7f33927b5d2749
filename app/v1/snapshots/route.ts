import * as api from '@/lib/platform/api/snapshots'
import { route, serve } from '@/lib/platform/http/serve'
import { createSnapshot } from '@/lib/data/snapshots/create-snapshot'
import { listSnapshots } from '@/lib/data/snapshots/list-snapshots'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.listSnapshots, (ctx, { query }) => listSnapshots(ctx, query)),
  serve(api.createSnapshot, (ctx, { body }) => createSnapshot(ctx, body)),
)
