import { Prisma } from '../../../generated/prisma/client.ts'
import { type Context, inTransaction, type SystemContext } from '../../platform/auth/context.ts'
import { crashPoint } from '../../core/crash.ts'
import { type DueRow, sweep } from '../../platform/jobs/sweep.ts'
import { asDeletion } from './as-deletion.ts'

const TASK = {
  kind: 'finish deletions',
  failure: 'The rows of something deleted could not be removed; it is tried again.',
} as const

/** Rows a transaction: others wait this long at most for a claim that leaves its campaign. */
const BATCH = 1_000
/** Batches of one campaign or webhook in one round, so that a long deletion doesn't delay a short one. */
const MAX_BATCHES = 20

type Deleted = DueRow & { kind: 'campaign' | 'webhook' }

/**
 * Removes the rows of deleted campaigns and webhooks, which nobody sees any more: a batch a transaction, and in the end
 * the campaign or webhook itself. Returns how many have gone.
 */
export async function finishDeletions(worker: SystemContext): Promise<number> {
  const due = await worker.sql<Deleted>(Prisma.sql`
    SELECT 'campaign' AS kind, id::text, organization_id::text AS "organizationId", deleted_at FROM campaigns
    WHERE deleted_at IS NOT NULL
    UNION ALL SELECT 'webhook', id::text, organization_id::text, deleted_at FROM webhooks WHERE deleted_at IS NOT NULL
    ORDER BY deleted_at`)
  return sweep(worker, TASK, due, removeSome)
}

/** Whether all of it has gone. */
async function removeSome(ctx: Context, deleted: Deleted): Promise<boolean> {
  const removeBatch = deleted.kind === 'campaign' ? leaveCampaign : removeDeliveries
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    const count = await inTransaction(ctx, (tx) => removeBatch(tx, deleted.id))
    crashPoint('batch_removed')
    if (count === BATCH) continue
    await inTransaction(ctx, (tx) => asDeletion(tx, () => removeLast(tx, deleted)))
    return true
  }
  return false
}

/** Takes claims out of a deleted campaign. They are locked in the order of their ids, as everywhere. */
async function leaveCampaign(tx: Context, campaignId: string): Promise<number> {
  const claims = await tx.sql<{ id: string }>(Prisma.sql`
    SELECT id::text FROM email_claims
    WHERE organization_id = ${tx.organizationId}::uuid AND campaign_id = ${campaignId}::uuid LIMIT ${BATCH}`)
  const ids = claims.map(({ id }) => id)
  await tx.sql(Prisma.sql`SELECT 1 FROM email_claims WHERE id = ANY(${ids}::uuid[]) ORDER BY id FOR NO KEY UPDATE`)
  await tx.db.emailClaim.updateMany({ where: { id: { in: ids }, campaignId }, data: { campaignId: null } })
  return ids.length
}

/** Removes deliveries of a deleted webhook, with their attempts. */
async function removeDeliveries(tx: Context, webhookId: string): Promise<number> {
  const removed = await tx.sql(Prisma.sql`
    DELETE FROM webhook_deliveries WHERE id IN (
      SELECT id FROM webhook_deliveries
      WHERE organization_id = ${tx.organizationId}::uuid AND webhook_id = ${webhookId}::uuid
      ORDER BY id LIMIT ${BATCH} FOR UPDATE)
    RETURNING 1`)
  return removed.length
}

async function removeLast(tx: Context, { kind, id }: Deleted): Promise<void> {
  const where = { id, deletedAt: { not: null } }
  await (kind === 'campaign' ? tx.db.campaign.deleteMany({ where }) : tx.db.webhook.deleteMany({ where }))
}
