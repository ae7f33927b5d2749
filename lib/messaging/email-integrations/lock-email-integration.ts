import { Prisma, type EmailIntegration } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { readEmailIntegration } from './read-email-integration.ts'

/** One change of an integration at a time, so that two of them lose nothing of each other. */
export async function lockEmailIntegration(tx: Context, id: string): Promise<EmailIntegration> {
  await tx.sql(Prisma.sql`SELECT id FROM email_integrations WHERE id = ${id}::uuid FOR UPDATE`)
  return readEmailIntegration(tx, id)
}
