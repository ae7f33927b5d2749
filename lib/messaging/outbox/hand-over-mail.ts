import { Prisma } from '../../../generated/prisma/client.ts'
import type { SystemContext } from '../../platform/auth/context.ts'
import { URGENT_MAIL } from './outbox.ts'

/** Makes a mail due whose sending was a job: release 0.1.0 wrote it so. */
export async function handOverMail(worker: SystemContext, messageId: string): Promise<void> {
  await worker.sql(Prisma.sql`
    UPDATE outbox_messages SET next_at = ${worker.now().toISOString()}::timestamptz,
      urgent = template_type = ANY(${[...URGENT_MAIL]}::text[])
    WHERE id = ${messageId}::uuid AND state = 'PENDING' AND next_at IS NULL`)
}
