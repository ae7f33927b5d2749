import { Prisma } from '../../../generated/prisma/client.ts'
import { inTransaction, type SystemContext } from '../../platform/auth/context.ts'
import { expireClaim } from '../../giving/expire-claims.ts'
import { HOUR, secondsFrom } from '../../core/clock.ts'
import { env } from '../../core/env.ts'
import { isRecoveringSql } from '../../orders/recovering.ts'
import { type DueRow, findReady, sweep } from '../../platform/jobs/sweep.ts'

const BATCH = 200
const TASK = { kind: 'return unopened', failure: 'An unopened claim could not be ended.' } as const

/**
 * Ends free claims of listings that nobody has opened for days, so that nobody can empty a listing with mailboxes of
 * others.
 */
export async function returnUnopened(worker: SystemContext, hours = env.UNOPENED_CLAIM_HOURS): Promise<void> {
  if (hours === 0) return
  const since = secondsFrom(worker.now(), -hours * HOUR).toISOString()
  const due = await findReady(worker, TASK, BATCH, ({ skip, take }) =>
    worker.sql<DueRow>(Prisma.sql`
    SELECT e.id::text, e.organization_id::text AS "organizationId"
    FROM email_claims e JOIN purchase_intents i ON i.id = e.purchase_intent_id
    WHERE e.state = 'OPEN' AND e.opened_at IS NULL AND e.last_pin_sent_at IS NULL AND e.purchase_intent_id IS NOT NULL
      AND e.created_at <= ${since}::timestamptz AND i.provider = 'EMAIL_CLAIM'
      AND NOT EXISTS (SELECT 1 FROM vouchers v WHERE v.claim_id = e.id AND v.state = 'PENDING')
      AND NOT ${isRecoveringSql(Prisma.sql`e.collection_id`)}
    ORDER BY e.id LIMIT ${take} OFFSET ${skip}`),
  )
  await sweep(worker, TASK, due, (ctx, { id }) => inTransaction(ctx, (tx) => expireClaim(tx, id, { unopened: true })))
}
