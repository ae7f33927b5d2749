import type { Suspension } from '../../../generated/prisma/client.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import type { Context } from '../../platform/auth/context.ts'
import { env } from '../../core/env.ts'
import { writeMails } from '../../messaging/outbox/write-mail.ts'
import { ownersOf } from '../../messaging/owners-of.ts'
import { recordEvent } from '../../messaging/webhooks/record-event.ts'

/** Tells an organization that a suspension began or ended: in its audit log, by an event, and its owners by mail. */
export async function recordSuspension(tx: Context, suspension: Suspension): Promise<void> {
  const { id, collectionId, reason, createdAt, endedAt } = suspension
  const facts = {
    suspension_id: id,
    collection_id: collectionId,
    reason,
    started_at: createdAt,
    ended_at: endedAt,
  }
  await recordAudit(tx, {
    action: endedAt ? 'suspension.ended' : 'suspension.started',
    subject: collectionId ? { type: 'collection', id: collectionId } : { type: 'organization', id: tx.organizationId },
    after: facts,
  })
  await recordEvent(tx, endedAt ? 'suspension.ended' : 'suspension.started', id, facts)
  await mailOwners(tx, suspension)
}

async function mailOwners(tx: Context, { collectionId, reason, endedAt }: Suspension): Promise<void> {
  const { name } = await tx.db.organization.findFirstOrThrow({
    where: { id: tx.organizationId },
    select: { name: true },
  })
  const collection = collectionId
    ? await tx.db.collection.findFirstOrThrow({ where: { id: collectionId }, select: { name: true } })
    : null
  const variables = {
    organization_name: name,
    what: collection ? `The collection ${collection.name} of ${name}` : name,
    reason,
    lifted: endedAt ? 'yes' : null,
    operator_email: env.OPERATOR_EMAIL || null,
    dashboard_url: `${tx.ports.addresses.origin}/dashboard`,
  }
  await writeMails(
    tx,
    (await ownersOf(tx, tx.organizationId)).map((to) => ({ templateType: 'SUSPENSION', to, variables })),
  )
}
