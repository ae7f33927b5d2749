import type { z } from 'zod'
import type { EmailIntegration } from '../../../generated/prisma/client.ts'
import { type emailIntegration, MAIL_SECRETS } from '../../platform/api/email-integrations.ts'
import type { Context } from '../../platform/auth/context.ts'
import { readableSecretsOf, plainConfigOf } from './integration-config.ts'

/** An integration as its organization sees it: for each secret only whether it is set. */
export const emailIntegrationOf = (
  { ports }: Pick<Context, 'ports'>,
  row: EmailIntegration,
): z.output<typeof emailIntegration> => ({
  id: row.id,
  provider: row.provider,
  status: row.status,
  config: {
    email_reply_to: null,
    ...(row.provider !== 'MAIL_API' && { port: null }),
    ...plainConfigOf(row),
    ...secretsSet(row),
  },
  last_error: row.lastError,
  activated_at: row.activatedAt,
  webhook_url: row.provider === 'MAIL_API' ? `${ports.addresses.origin}/webhooks/mail/${row.id}` : null,
  created_at: row.createdAt,
  updated_at: row.updatedAt,
})

/** The part that the audit log stores. */
export const auditedOf = (row: Pick<EmailIntegration, 'provider' | 'status' | 'config'>) => ({
  provider: row.provider,
  status: row.status,
  config: plainConfigOf(row),
})

function secretsSet(row: EmailIntegration): Record<`${string}_set`, boolean> {
  const secrets = readableSecretsOf(row)
  return Object.fromEntries(MAIL_SECRETS[row.provider].map((name) => [`${name}_set`, Boolean(secrets[name])]))
}
