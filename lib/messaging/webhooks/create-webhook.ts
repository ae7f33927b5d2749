import { Prisma } from '../../../generated/prisma/client.ts'
import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { createWebhook as endpoint } from '../../platform/api/webhooks.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { AppError } from '../../core/errors.ts'
import { newId } from '../../core/id.ts'
import { onProtectedChange } from '../on-protected-change.ts'
import { assertWebhookUrl } from './assert-webhook-url.ts'
import { webhookOf } from './show-webhook.ts'
import { newWebhookSecret, sealWebhookSecret } from './webhook-secret.ts'

/** Bounds the deliveries that one event can cause. */
const MAX_WEBHOOKS = 50

/** Creates a webhook. Its secret is shown only in this result. Throws `webhook_limit` and `webhook_url_invalid`. */
export async function createWebhook(
  ctx: Context,
  { name, url, events }: Input<typeof endpoint>['body'],
): Promise<Output<typeof endpoint>> {
  await assertWebhookUrl(ctx, url)
  return inTransaction(ctx, async (tx) => {
    await tx.sql(Prisma.sql`SELECT 1 FROM organizations WHERE id = ${tx.organizationId}::uuid FOR NO KEY UPDATE`)
    if ((await tx.db.webhook.count()) >= MAX_WEBHOOKS)
      throw new AppError('webhook_limit', `An organization has ${MAX_WEBHOOKS} webhooks at most. Delete one first.`)
    const [id, secret] = [newId(), newWebhookSecret()]
    const row = await tx.db.webhook.create({
      data: {
        id,
        organizationId: tx.organizationId,
        name,
        url,
        eventTypes: [...new Set(events ?? [])],
        secret: sealWebhookSecret(id, secret),
        createdAt: tx.now(),
      },
    })
    await onProtectedChange(tx, { what: 'webhookMade', name, url })
    await recordAudit(tx, {
      action: 'webhook.created',
      subject: { type: 'webhook', id },
      after: { name, url, events: row.eventTypes },
    })
    return { ...(await webhookOf(tx, row)), secret }
  })
}
