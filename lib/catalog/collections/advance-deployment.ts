import type { Collection } from '../../../generated/prisma/client.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import type { Context } from '../../platform/auth/context.ts'
import { sendRoyalties } from '../items/send-royalties.ts'
import { recordEvent } from '../../messaging/webhooks/record-event.ts'

/**
 * Marks a pending deployment as succeeded and opens the royalty transactions of items that were locked meanwhile. Safe
 * to repeat.
 * @param contractVersion What the contract says that it is; null leaves what the row says.
 */
export async function completeDeployment(
  tx: Context,
  collectionId: string,
  contractVersion: string | null = null,
): Promise<void> {
  const { count } = await tx.db.collection.updateMany({
    where: { id: collectionId, deploymentStatus: 'PENDING' },
    data: { deploymentStatus: 'SUCCESS', deployedAt: tx.now(), ...(contractVersion && { contractVersion }) },
  })
  const row = count > 0 ? await tx.db.collection.findFirst({ where: { id: collectionId } }) : null
  if (row) await recordDeployed(tx, row)
}

/** Marks a pending deployment as failed; it can be requested again. */
export async function failDeployment(tx: Context, collectionId: string, reason: string): Promise<void> {
  const { count } = await tx.db.collection.updateMany({
    where: { id: collectionId, deploymentStatus: 'PENDING' },
    data: { deploymentStatus: 'FAILED' },
  })
  if (count > 0)
    await recordAudit(tx, {
      action: 'collection.deployment_failed',
      subject: { type: 'collection', id: collectionId },
      after: { reason },
    })
}

/** Records a deployment in audit log and events, and opens the royalty transactions of its locked items. */
export async function recordDeployed(tx: Context, row: Collection): Promise<void> {
  const { contractAddress, networkId, tokenType } = row
  if (contractAddress === null || networkId === null || tokenType === null)
    throw new Error(`Collection ${row.id} was deployed without a contract.`)
  await recordAudit(tx, {
    action: 'collection.deployed',
    subject: { type: 'collection', id: row.id },
    after: { contract: contractAddress },
  })
  await recordEvent(tx, 'collection.deployed', row.id, {
    collection_id: row.id,
    network_id: networkId,
    contract: contractAddress,
    token_type: tokenType,
  })
  const own = await tx.db.item.findMany({
    where: { collectionId: row.id, lockedAt: { not: null }, royaltyReceiver: { not: null } },
    orderBy: { id: 'asc' },
  })
  await sendRoyalties(tx, row, own)
}
