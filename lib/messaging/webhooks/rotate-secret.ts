import type { Output } from '../../platform/api/endpoint.ts'
import type { rotateWebhookSecret as endpoint } from '../../platform/api/webhooks.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { DAY, secondsFrom } from '../../core/clock.ts'
import { onProtectedChange } from '../on-protected-change.ts'
import { lockWebhook } from './read-webhook.ts'
import { webhookOf } from './show-webhook.ts'
import { isReadable, newWebhookSecret, sealWebhookSecret } from './webhook-secret.ts'

/**
 * Replaces the webhook's secret. For a day both secrets sign, so that the receiver can switch without missing an event.
 */
export const rotateSecret = (ctx: Context, id: string): Promise<Output<typeof endpoint>> =>
  inTransaction(ctx, async (tx) => {
    const before = await lockWebhook(tx, id)
    const secret = newWebhookSecret()
    // Nothing can be signed any more with a secret whose server key was removed.
    const until = isReadable(before) ? secondsFrom(tx.now(), DAY) : null
    const row = await tx.db.webhook.update({
      where: { id },
      data: {
        secret: sealWebhookSecret(id, secret),
        previousSecret: until && before.secret,
        previousSecretUntil: until,
      },
    })
    await onProtectedChange(tx, { what: 'webhookSecret', name: before.name })
    await recordAudit(tx, {
      action: 'webhook.secret_rotated',
      subject: { type: 'webhook', id },
      after: { previous_secret_until: until },
    })
    return { ...(await webhookOf(tx, row)), secret }
  })
