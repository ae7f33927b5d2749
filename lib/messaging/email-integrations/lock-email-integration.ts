import { Prisma, type EmailIntegration } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { readEmailIntegration } from './read-email-integration.ts'

/** The integration's row, locked until the transaction ends, so that concurrent changes don't overwrite each other. */
export async function lockEmailIntegration(tx: Context, id: string): Promise<EmailIntegration> {
  await tx.sql(Prisma.sql`SELECT id FROM email_integrations WHERE id = ${id}::uuid FOR UPDATE`)
  return readEmailIntegration(tx, id)
}
