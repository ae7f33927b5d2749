import { Prisma } from '../../generated/prisma/client.ts'
import { recordAudit } from '../records/audit/record-audit.ts'
import { type Context, inTransaction, type SystemContext } from '../platform/auth/context.ts'
import { crashPoint } from '../core/crash.ts'
import { REMINDER_DAYS } from '../messaging/campaigns/create-campaign.ts'
import { type DueRow, findReady, sweep } from '../platform/jobs/sweep.ts'
import { mailReminder } from './claim-mails.ts'
import { inactiveReasonOf } from './claim-state.ts'
import { lockClaimInFull } from './read-claim.ts'

const BATCH = 200
const TASK = { kind: 'remind claims', failure: 'A reminder of a claim could not be written.' } as const

/**
 * Reminds once of open claims that expire within the days their campaign says (three by default). Claims whose whole
 * life is shorter get no reminder, nor do those whose recipient holds a voucher, whose address is suppressed or which
 * are suspended. Returns how many were reminded.
 */
export async function remindClaims(worker: SystemContext): Promise<number> {
  const now = worker.now().toISOString()
  const due = await findReady(worker, TASK, BATCH, ({ skip, take }) =>
    worker.sql<DueRow>(Prisma.sql`
    SELECT c.id::text, c.organization_id::text AS "organizationId"
    FROM email_claims c
      LEFT JOIN campaigns p ON p.organization_id = c.organization_id AND p.id = c.campaign_id AND p.deleted_at IS NULL,
      LATERAL (SELECT make_interval(days => coalesce(p.reminder_days, ${REMINDER_DAYS}::int)) AS ahead) r
    WHERE c.state = 'OPEN' AND c.reminded_at IS NULL AND c.expires_at > ${now}::timestamptz
      AND c.expires_at <= ${now}::timestamptz
        + make_interval(days => greatest(${REMINDER_DAYS}::int, (SELECT max(reminder_days) FROM campaigns)))
      AND c.expires_at <= ${now}::timestamptz + r.ahead AND c.expires_at - c.created_at > r.ahead
      AND NOT EXISTS (SELECT 1 FROM vouchers v
        WHERE v.organization_id = c.organization_id AND v.claim_id = c.id AND v.state = 'PENDING')
      AND NOT is_suspended(c.organization_id, c.collection_id)
      AND NOT EXISTS (SELECT 1 FROM suppressions s WHERE s.organization_id = c.organization_id AND s.email = c.email)
    ORDER BY c.expires_at, c.id LIMIT ${take} OFFSET ${skip}`),
  )
  const reminded = await sweep(worker, TASK, due, (ctx, { id }) => inTransaction(ctx, (tx) => remind(tx, id)))
  return due.length === BATCH && reminded > 0 ? reminded + (await remindClaims(worker)) : reminded
}

/** Checked again under the lock: a claim redeemed meanwhile gets no reminder. */
async function remind(tx: Context, id: string): Promise<boolean> {
  const claim = await lockClaimInFull(tx, id)
  if (inactiveReasonOf(claim, tx.now()) !== null || claim.vouchers[0]?.state === 'PENDING') return false
  const { count } = await tx.db.emailClaim.updateMany({
    where: { id, state: 'OPEN', remindedAt: null },
    data: { remindedAt: tx.now() },
  })
  if (count === 0) return false
  await mailReminder(tx, claim)
  await recordAudit(tx, {
    action: 'email_claim.reminded',
    subject: { type: 'email_claim', id },
    after: { expires_at: claim.expiresAt },
  })
  crashPoint('claim_reminded')
  return true
}
