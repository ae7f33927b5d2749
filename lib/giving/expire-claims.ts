import { Prisma } from '../../generated/prisma/client.ts'
import { type Context, inTransaction, type SystemContext } from '../platform/auth/context.ts'
import { type DueRow, findReady, sweep } from '../platform/jobs/sweep.ts'
import { hasUnappliedFacts } from '../onchain/vouchers/has-unapplied-facts.ts'
import { isRecoveringSql } from '../orders/recovering.ts'
import { crashPoint } from '../core/crash.ts'
import { advanceClaim } from './advance-claim.ts'
import { inactiveReasonOf } from './claim-state.ts'
import { returnClaimUnits } from './return-claim-units.ts'
import { lockClaimInFull } from './read-claim.ts'
import { voidLink } from './void-pins.ts'

const BATCH = 200
const TASK = { kind: 'expire claims', failure: 'An expired claim could not be ended.' } as const

/**
 * Ends expired claims and returns their units. A claim whose voucher is still valid waits, since its units could still
 * be minted, and so does one whose voucher the chain says something of that isn't applied yet, and one whose books are
 * behind. Returns how many ended.
 */
export async function expireClaims(worker: SystemContext): Promise<number> {
  const now = worker.now().toISOString()
  const due = await findReady(worker, TASK, BATCH, ({ skip, take }) =>
    worker.sql<DueRow>(Prisma.sql`
    SELECT e.id::text, e.organization_id::text AS "organizationId" FROM email_claims e
    WHERE e.state IN ('OPEN', 'LOCKED') AND e.expires_at <= ${now}::timestamptz
      AND NOT ${isRecoveringSql(Prisma.sql`e.collection_id`)}
      AND NOT EXISTS (
        SELECT 1 FROM vouchers v WHERE v.claim_id = e.id
          AND (v.state = 'PENDING' OR EXISTS (SELECT 1 FROM voucher_facts f WHERE f.voucher_id = v.id)))
    ORDER BY e.expires_at, e.id LIMIT ${take} OFFSET ${skip}`),
  )
  const ended = await sweep(worker, TASK, due, (ctx, { id }) => inTransaction(ctx, (tx) => expireClaim(tx, id)))
  return due.length === BATCH && ended > 0 ? ended + (await expireClaims(worker)) : ended
}

/** Ends one claim if it has expired, or, with `unopened`, if nobody opened it. false: it stays open. */
export async function expireClaim(tx: Context, id: string, { unopened = false } = {}): Promise<boolean> {
  const claim = await lockClaimInFull(tx, id)
  const open = claim.state === 'OPEN' || claim.state === 'LOCKED'
  const over = unopened ? !claim.openedAt && !claim.lastPinSentAt : inactiveReasonOf(claim, tx.now()) === 'EXPIRED'
  if (!open || !over || claim.vouchers[0]?.state === 'PENDING') return false
  if (claim.vouchers.length > 0 && (await hasUnappliedFacts(tx, { claimId: id }))) return false
  await advanceClaim(tx, claim, 'EXPIRED')
  await voidLink(tx, id)
  await returnClaimUnits(tx, claim, 'EXPIRED')
  crashPoint('claim_expired')
  return true
}
