import type { z } from 'zod'
import type { Snapshot } from '../../../generated/prisma/client.ts'
import type { snapshot } from '../../platform/api/snapshots.ts'
import type { Context } from '../../platform/auth/context.ts'

export const snapshotOf = async (ctx: Context, row: Snapshot): Promise<z.output<typeof snapshot>> => ({
  id: row.id,
  name: row.name,
  collection_id: row.collectionId,
  block_number: row.blockNumber,
  timestamp: row.at,
  status: row.readyAt ? 'READY' : row.failure ? 'FAILED' : 'PENDING',
  failure: row.failure,
  holder_count: row.readyAt ? await ctx.db.snapshotHolder.count({ where: { snapshotId: row.id } }) : null,
  created_at: row.createdAt,
  ready_at: row.readyAt,
})
