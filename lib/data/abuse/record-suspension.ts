import type { Suspension } from '../../../generated/prisma/client.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import type { Context } from '../../platform/auth/context.ts'
import { env } from '../../core/env.ts'
import { writeMails } from '../../messaging/outbox/write-mail.ts'
import { readersOf } from '../../messaging/readers-of.ts'
import { filled, memberWords } from '../../messaging/templates/mail-words.ts'
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
  const { organizationName, readers } = await readersOf(tx, tx.organizationId, ['OWNER'])
  const collection = collectionId
    ? await tx.db.collection.findFirstOrThrow({ where: { id: collectionId }, select: { name: true } })
    : null
  await writeMails(
    tx,
    readers.map(({ email, locale }) => {
      const words = memberWords(locale).suspension
      return {
        templateType: 'SUSPENSION',
        to: email,
        locale,
        variables: {
          organization_name: organizationName,
          what: filled(collection ? words.collection : words.organization, locale, {
            organization_name: organizationName,
            collection: collection?.name ?? null,
          }),
          reason,
          lifted: endedAt ? 'yes' : null,
          operator_email: env.OPERATOR_EMAIL || null,
          dashboard_url: `${tx.ports.addresses.origin}/dashboard`,
        },
      }
    }),
  )
}
