import { resolveAlarm } from '../../records/alarms/raise-alarm.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { lockWebhook } from './read-webhook.ts'

/** Deletes a webhook with its deliveries and their attempts. */
export const deleteWebhook = (ctx: Context, id: string): Promise<undefined> =>
  inTransaction(ctx, async (tx) => {
    const { name, url, eventTypes } = await lockWebhook(tx, id)
    await tx.db.webhook.deleteMany({ where: { id } })
    await resolveAlarm(tx, 'webhook_disabled', id)
    await recordAudit(tx, {
      action: 'webhook.deleted',
      subject: { type: 'webhook', id },
      before: { name, url, events: eventTypes },
    })
    return undefined
  })
