import type { Webhook } from '../../../generated/prisma/client.ts'
import { raiseAlarm } from '../../records/alarms/raise-alarm.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import type { Context } from '../../platform/auth/context.ts'
import { addressesOf } from '../../platform/auth/person.ts'
import { writeMail } from '../outbox/write-mail.ts'

/** Fails a webhook's pending deliveries; a replay can send them later. Call it with the webhook's row locked. */
export const failPendingDeliveries = (tx: Context, webhookId: string) =>
  tx.db.webhookDelivery.updateMany({ where: { webhookId, state: 'PENDING' }, data: { state: 'FAILED', nextAt: null } })

/** Disables a webhook whose receiver keeps failing, raises an alarm and mails owners and admins. Call it with the webhook's row locked. */
export async function disableWebhook(tx: Context, webhook: Webhook, reason: string): Promise<void> {
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
  const organization = await tx.db.organization.findFirst({ where: { id: tx.organizationId }, select: { name: true } })
  const dashboard_url = `${tx.ports.addresses.origin}/dashboard/webhooks/${webhook.id}`
  const variables = {
    organization_name: organization?.name ?? '',
    webhook_name: webhook.name,
    webhook_url: webhook.url,
    reason,
    dashboard_url,
  }
  for (const email of await adminsOf(tx))
    await writeMail(tx, { templateType: 'WEBHOOK_DISABLED', to: email, variables })
}

/** The email addresses of owners and admins who have joined. */
async function adminsOf({ db }: Context): Promise<string[]> {
  const admins = await db.member.findMany({
    where: { role: { in: ['OWNER', 'ADMIN'] }, joinedAt: { not: null }, removedAt: null },
    orderBy: { userId: 'asc' },
    select: { userId: true },
  })
  return addressesOf(admins.map(({ userId }) => userId))
}
