import type { EmailIntegration } from '../../../generated/prisma/client.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { type Context, withoutIdempotentResult, inTransaction } from '../../platform/auth/context.ts'
import { AppError } from '../../core/errors.ts'
import { momentOf } from '../../core/day.ts'
import { newId } from '../../core/id.ts'
import { localeOf } from '../../core/locales.ts'
import { readSender, senderLine } from '../../core/sender.ts'
import { type MailMessage, MailRefused } from '../../ports/mail/mail.ts'
import { mailedOrganization } from '../../organizations/organization-name.ts'
import { personOf } from '../../platform/auth/person.ts'
import { requestHeaders } from '../outbox/outbox.ts'
import { renderMail } from '../templates/render-mail.ts'
import { plainConfigOf, mailSettingsOf } from './integration-config.ts'
import { auditedOf } from './show-email-integration.ts'

export type TestMail = { id: string; email: string; messageId: string; providerId: string | null; sentAt: Date }

/**
 * Sends a test message with an integration's settings. Throws `mail_refused` when the server refuses it, after
 * recording the refusal on the row (unless the settings have changed meanwhile).
 */
export async function verifyEmailIntegration(ctx: Context, row: EmailIntegration, email: string): Promise<TestMail> {
  const id = newId()
  const sentAt = ctx.now()
  const message = await testMessage(ctx, row, { id, email, sentAt })
  try {
    const { providerId } = await ctx.ports.integrationMail(mailSettingsOf(row)).send(message)
    return { id, email, messageId: message.messageId, providerId, sentAt }
  } catch (error) {
    const refusal =
      error instanceof MailRefused
        ? error
        : new MailRefused('The settings can’t be read any more. Give the secrets anew.', {
            permanent: true,
            cause: error,
          })
    await recordFailure(withoutIdempotentResult(ctx), row, refusal)
    throw new AppError('mail_refused', refusal.message)
  }
}

async function testMessage(
  ctx: Context,
  row: EmailIntegration,
  { id, email, sentAt }: { id: string; email: string; sentAt: Date },
): Promise<MailMessage> {
  const { name, locale: ofOrganization } = await mailedOrganization(ctx)
  const locale = localeOf((await personOf(ctx))?.locale, ofOrganization)
  const config = plainConfigOf(row)
  const sender = readSender(String(config.email_from))!
  const rendered = await renderMail(
    'TEST',
    { organization_name: name, sent_at: momentOf(sentAt, locale) },
    undefined,
    locale,
  )
  return {
    messageId: `<${id}@${new URL(ctx.ports.addresses.origin).hostname}>`,
    from: senderLine(sender.name ?? name, sender.address),
    replyTo: config.email_reply_to ? String(config.email_reply_to) : undefined,
    to: email,
    ...rendered,
    headers: requestHeaders(ctx.requestId),
  }
}

/** Records the refusal. The integration becomes FAILED, unless only the recipient was refused. */
const recordFailure = (ctx: Context, row: EmailIntegration, refusal: MailRefused): Promise<void> =>
  inTransaction(ctx, async (tx) => {
    const failed = refusal.noSuchAddress ? {} : ({ status: 'FAILED', activatedAt: null } as const)
    const { count } = await tx.db.emailIntegration.updateMany({
      where: { id: row.id, secrets: row.secrets },
      data: { ...failed, lastError: refusal.message },
    })
    if (count === 0 || refusal.noSuchAddress || row.status === 'FAILED') return
    await recordAudit(tx, {
      action: 'email_integration.failed',
      subject: { type: 'email_integration', id: row.id },
      before: auditedOf(row),
      after: { ...auditedOf({ ...row, status: 'FAILED' }), why: refusal.message },
    })
  })

/** Writes the test message to the outbox as sent, so that delivery events about it find it. */
export async function recordTestMail(tx: Context, integrationId: string, testMail: TestMail): Promise<void> {
  await tx.db.outboxMessage.create({
    data: {
      id: testMail.id,
      organizationId: tx.organizationId,
      templateType: 'TEST',
      toEmail: testMail.email,
      messageId: testMail.messageId,
      requestId: tx.requestId,
      integrationId,
      providerId: testMail.providerId,
      state: 'SENT',
      attempts: 1,
      sentAt: testMail.sentAt,
      createdAt: testMail.sentAt,
    },
  })
}
