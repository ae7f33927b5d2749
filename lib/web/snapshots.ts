import * as api from '../platform/api/snapshots.ts'
import { createSnapshot } from '../data/snapshots/create-snapshot.ts'
import { getSnapshot } from '../data/snapshots/get-snapshot.ts'
import { getSnapshotHolders } from '../data/snapshots/get-snapshot-holders.ts'
import { listSnapshots } from '../data/snapshots/list-snapshots.ts'
import { updateSnapshot } from '../data/snapshots/update-snapshot.ts'
import { serve } from '../platform/http/serve.ts'

export const handlers = {
  listSnapshots: serve(api.listSnapshots, (ctx, { query }) => listSnapshots(ctx, query)),
  createSnapshot: serve(api.createSnapshot, (ctx, { body }) => createSnapshot(ctx, body)),
  getSnapshot: serve(api.getSnapshot, (ctx, { params }) => getSnapshot(ctx, params.snapshot_id)),
  updateSnapshot: serve(api.updateSnapshot, (ctx, { params, body }) => updateSnapshot(ctx, params.snapshot_id, body)),
  getSnapshotHolders: serve(api.getSnapshotHolders, (ctx, { params }) => getSnapshotHolders(ctx, params.snapshot_id)),
}
