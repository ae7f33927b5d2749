import type { Webhook } from '../../../generated/prisma/client.ts'
import { raiseAlarm } from '../../records/alarms/raise-alarm.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import type { Context } from '../../platform/auth/context.ts'
import { DAY } from '../../core/clock.ts'
import { DEFAULT_LOCALE, type Locale } from '../../core/locales.ts'
import { writeMail } from '../outbox/write-mail.ts'
import { readersOf } from '../readers-of.ts'
import { filled, memberWords } from '../templates/mail-words.ts'
import { MAX_FAILING_SECONDS } from './retry-schedule.ts'

/** Fails a webhook's pending deliveries; a replay can send them later. Call it with the webhook's row locked. */
export const failPendingDeliveries = (tx: Context, webhookId: string) =>
  tx.db.webhookDelivery.updateMany({ where: { webhookId, state: 'PENDING' }, data: { state: 'FAILED', nextAt: null } })

/** `error`: of the last attempt, in English as its log has it. */
type Cause = { why: 'gone' } | { why: 'failing'; error: string | null }

function reasonIn(locale: Locale, cause: Cause): string {
  const { gone, failing } = memberWords(locale).webhookDisabled
  const days = String(MAX_FAILING_SECONDS / DAY)
  return cause.why === 'gone' ? gone : filled(failing, locale, { days, error: cause.error })
}

/**
 * Disables a webhook whose receiver keeps failing, raises an alarm and mails owners and admins, each in their language.
 * Call it with the webhook's row locked.
 */
export async function disableWebhook(tx: Context, webhook: Webhook, cause: Cause): Promise<void> {
  const reason = reasonIn(DEFAULT_LOCALE, cause)
  const { count } = await tx.db.webhook.updateMany({
    where: { id: webhook.id, status: 'ENABLED' },
    data: { status: 'DISABLED', disabledReason: reason },
  })
  if (count === 0) return
  await failPendingDeliveries(tx, webhook.id)
  await recordAudit(tx, {
    action: 'webhook.disabled',
    subject: { type: 'webhook', id: webhook.id },
    before: { status: 'ENABLED' },
    after: { status: 'DISABLED', reason },
  })
  await raiseAlarm(tx, 'webhook_disabled', webhook.id, `The webhook “${webhook.name}” was disabled. ${reason}`)
  const { organizationName, readers } = await readersOf(tx, tx.organizationId, ['OWNER', 'ADMIN'])
  for (const { email, locale } of readers)
    await writeMail(tx, {
      templateType: 'WEBHOOK_DISABLED',
      to: email,
      locale,
      variables: {
        organization_name: organizationName,
        webhook_name: webhook.name,
        webhook_url: webhook.url,
        reason: reasonIn(locale, cause),
        dashboard_url: `${tx.ports.addresses.origin}/dashboard/webhooks/${webhook.id}`,
      },
    })
}
