import { resolveAlarm } from '../../records/alarms/raise-alarm.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { asDeletion } from '../deletions/as-deletion.ts'
import { lockWebhook } from './read-webhook.ts'

/**
 * Deletes a webhook: nothing is sent to it any more, and nobody sees it. The worker removes its deliveries and their
 * attempts.
 */
export const deleteWebhook = (ctx: Context, id: string): Promise<undefined> =>
  inTransaction(ctx, async (tx) => {
    const { name, url, eventTypes } = await lockWebhook(tx, id)
    const data = { status: 'DISABLED' as const, deletedAt: tx.now() }
    await asDeletion(tx, () => tx.db.webhook.updateMany({ where: { id }, data }))
    await resolveAlarm(tx, 'webhook_disabled', id)
    await recordAudit(tx, {
      action: 'webhook.deleted',
      subject: { type: 'webhook', id },
      before: { name, url, events: eventTypes },
    })
    return undefined
  })
