import type { Webhook } from '../../../generated/prisma/client.ts'
import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { updateWebhook as endpoint } from '../../platform/api/webhooks.ts'
import { resolveAlarm } from '../../records/alarms/raise-alarm.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { onProtectedChange } from '../on-protected-change.ts'
import { failPendingDeliveries } from './disable-webhook.ts'
import { assertWebhookUrl } from './assert-webhook-url.ts'
import { lockWebhook } from './read-webhook.ts'
import { webhookOf } from './show-webhook.ts'

/**
 * Changes name, URL, events or status. Disabling and enabling fail the pending deliveries; enabling also clears the
 * alarm. Throws `webhook_url_invalid`.
 */
export async function updateWebhook(
  ctx: Context,
  id: string,
  { name, url, events, status }: Input<typeof endpoint>['body'],
): Promise<Output<typeof endpoint>> {
  if (url !== undefined) await assertWebhookUrl(ctx, url)
  return inTransaction(ctx, async (tx) => {
    const before = await lockWebhook(tx, id)
    const statusChanged = status !== undefined && status !== before.status
    const after = await tx.db.webhook.update({
      where: { id },
      data: {
        name,
        url,
        ...(events && { eventTypes: [...new Set(events)] }),
        ...(statusChanged && { status, disabledReason: null, failingSince: null }),
      },
    })
    if (statusChanged) await failPendingDeliveries(tx, id)
    if (statusChanged && status === 'ENABLED') await resolveAlarm(tx, 'webhook_disabled', id)
    if (after.url !== before.url)
      await onProtectedChange(tx, { what: 'webhookMoved', name: after.name, url: after.url })
    await recordAudit(tx, {
      action: 'webhook.updated',
      subject: { type: 'webhook', id },
      before: settingsOf(before),
      after: settingsOf(after),
    })
    return webhookOf(tx, after)
  })
}

const settingsOf = ({ name, url, eventTypes, status }: Webhook) => ({ name, url, events: eventTypes, status })
