import type { z } from 'zod'
import { columns, type RowOf } from '../../db/columns.ts'
import type { snapshot } from '../../platform/api/snapshots.ts'

type ShownSnapshot = z.output<typeof snapshot>

/** The fields of a snapshot's row that are shown. */
export const SNAPSHOT_COLUMNS = columns('s', 'Snapshot', [
  'id',
  'name',
  'collectionId',
  'blockNumber',
  'at',
  'failure',
  'takenTo',
  'movesDone',
  'movesTotal',
  'holderCount',
  'createdAt',
  'readyAt',
])
export type SnapshotRow = RowOf<typeof SNAPSHOT_COLUMNS>

/** Snapshots as the API shows them. */
export const snapshotOf = (row: SnapshotRow): ShownSnapshot => ({
  id: row.id,
  name: row.name,
  collection_id: row.collectionId,
  block_number: row.blockNumber,
  timestamp: row.at,
  status: row.readyAt ? 'READY' : row.failure ? 'FAILED' : 'PENDING',
  failure: row.failure,
  progress: row.readyAt || row.takenTo === null ? null : { done: row.movesDone, total: row.movesTotal ?? 0 },
  holder_count: row.holderCount,
  created_at: row.createdAt,
  ready_at: row.readyAt,
})
