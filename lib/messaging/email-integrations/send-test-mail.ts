import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { sendTestMail as endpoint } from '../../platform/api/email-integrations.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { callerEmail } from './caller-email.ts'
import { recordTestMail, verifyEmailIntegration } from './verify-email-integration.ts'
import { readEmailIntegration } from './read-email-integration.ts'
import { assertNotSuppressed } from './find-suppression.ts'

/**
 * Sends a test message with an integration's settings, active or not. Throws `address_suppressed` and `mail_refused`.
 */
export async function sendTestMail(
  ctx: Context,
  id: string,
  body: Input<typeof endpoint>['body'],
): Promise<Output<typeof endpoint>> {
  const row = await readEmailIntegration(ctx, id)
  const email = body.email ?? (await callerEmail(ctx))
  await assertNotSuppressed(ctx, email)
  const testMail = await verifyEmailIntegration(ctx, row, email)
  return inTransaction(ctx, async (tx) => {
    // Settings that failed before work again, but only `activate` puts them to use.
    await tx.db.emailIntegration.updateMany({
      where: { id, secrets: row.secrets, status: 'FAILED' },
      data: { status: 'PENDING', lastError: null },
    })
    await recordTestMail(tx, id, testMail)
    await recordAudit(tx, {
      action: 'email_integration.tested',
      subject: { type: 'email_integration', id },
      after: { email },
    })
    return { email, message_id: testMail.messageId, provider_id: testMail.providerId, sent_at: testMail.sentAt }
  })
}
