import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { createSnapshot as endpoint } from '../../platform/api/snapshots.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { AppError, unknownId } from '../../core/errors.ts'
import { newId } from '../../core/id.ts'
import { snapshotOf } from './show-snapshot.ts'

/**
 * Requests a snapshot of a collection's holders at a block, or at the last block before a time. The worker takes it once that block
 * is final. Throws `collection_not_deployed`.
 */
export async function createSnapshot(
  ctx: Context,
  body: Input<typeof endpoint>['body'],
): Promise<Output<typeof endpoint>> {
  const collection = await ctx.db.collection.findFirst({ where: { id: body.collection_id } })
  if (!collection) throw unknownId('collection_id', 'collection')
  if (collection.deploymentStatus !== 'SUCCESS')
    throw new AppError(
      'collection_not_deployed',
      'Deploy the collection first: until then nobody holds anything of it.',
    )
  return inTransaction(ctx, async (tx) => {
    const id = newId()
    const row = await tx.db.snapshot.create({
      data: {
        id,
        organizationId: tx.organizationId,
        collectionId: collection.id,
        name: body.name,
        blockNumber: body.block_number ?? null,
        at: body.timestamp ?? null,
        createdAt: tx.now(),
      },
    })
    await recordAudit(tx, {
      action: 'snapshot.created',
      subject: { type: 'snapshot', id },
      after: { name: row.name, block_number: row.blockNumber, timestamp: row.at },
    })
    return snapshotOf(row)
  })
}
