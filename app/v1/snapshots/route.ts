import * as api from '@/lib/api/snapshots'
import { route, serve } from '@/lib/http/serve'
import { createSnapshot } from '@/lib/snapshots/create-snapshot'
import { listSnapshots } from '@/lib/snapshots/list-snapshots'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route(
  serve(api.listSnapshots, (ctx, { query }) => listSnapshots(ctx, query)),
  serve(api.createSnapshot, (ctx, { body }) => createSnapshot(ctx, body)),
)
