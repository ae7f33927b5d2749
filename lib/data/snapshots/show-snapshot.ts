import type { z } from 'zod'
import type { Snapshot } from '../../../generated/prisma/client.ts'
import type { snapshot } from '../../platform/api/snapshots.ts'

type ShownSnapshot = z.output<typeof snapshot>

/** The fields of a snapshot's row that are shown. */
export type SnapshotRow = Pick<
  Snapshot,
  | 'id'
  | 'name'
  | 'collectionId'
  | 'blockNumber'
  | 'at'
  | 'failure'
  | 'takenTo'
  | 'movesDone'
  | 'movesTotal'
  | 'holderCount'
  | 'createdAt'
  | 'readyAt'
>

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
