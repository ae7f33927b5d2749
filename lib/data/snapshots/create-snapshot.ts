import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { createSnapshot as endpoint } from '../../platform/api/snapshots.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { AppError, fieldError, unknownId } from '../../core/errors.ts'
import { newId } from '../../core/id.ts'
import type { Statement } from '../../db/statements.ts'
import { snapshotOf } from './show-snapshot.ts'

type Body = Input<typeof endpoint>['body']

/**
 * Requests a snapshot of a collection's holders at a block, or at the last block before a time. The worker takes it
 * once that block is final. Throws `collection_not_deployed`, and `invalid_request` for what is more than a year ahead.
 */
export async function createSnapshot(ctx: Context, body: Body): Promise<Output<typeof endpoint>> {
  const [collection] = await ctx.rows<SnapshotCollection>(COLLECTION, ctx.organizationId, body.collection_id)
  if (!collection) throw unknownId('collection_id', 'collection')
  if (collection.deploymentStatus !== 'SUCCESS')
    throw new AppError(
      'collection_not_deployed',
      'Deploy the collection first: until then nobody holds anything of it.',
    )
  assertWithinAYear(body, collection.head, ctx.now())
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

const YEAR_SECONDS = 366 * 24 * 60 * 60
/** More than the networks make that we know. */
const BLOCKS_A_SECOND = 4
/** Of a network of which nothing is entered yet. */
const NO_HEAD = 1_000_000_000

type SnapshotCollection = { id: string; deploymentStatus: string | null; head: number | null }

/** `head`: the last block of its network that is entered. */
const COLLECTION: Statement = {
  name: 'collection_of_snapshot',
  text: `SELECT c.id::text, c.deployment_status::text AS "deploymentStatus", n.number::float8 AS head
    FROM collections c LEFT JOIN chain_cursors n ON n.network_id = c.network_id
    WHERE c.organization_id = $1::uuid AND c.id = $2::uuid`,
}

/** A typing mistake would wait for ever. */
function assertWithinAYear({ block_number, timestamp }: Body, head: number | null, now: Date): void {
  const detail = 'This is more than a year ahead.'
  if (timestamp && timestamp.getTime() > now.getTime() + YEAR_SECONDS * 1000)
    throw fieldError('invalid_request', 'timestamp', detail)
  if (block_number != null && Number(block_number) > Math.max(head ?? NO_HEAD, 0) + YEAR_SECONDS * BLOCKS_A_SECOND)
    throw fieldError('invalid_request', 'block_number', detail)
}
