import { Prisma } from '../../generated/prisma/client.ts'
import { type Context, inTransaction, type SystemContext } from '../platform/auth/context.ts'
import { DAY, secondsFrom } from '../core/clock.ts'
import { type DueRow, findReady, sweep } from '../platform/jobs/sweep.ts'
import { advanceClaim } from './advance-claim.ts'
import { mailLink } from './claim-mails.ts'
import { needsNewLink } from './claim-state.ts'
import { lockClaimInFull, readClaim } from './read-claim.ts'
import { renewLink } from './renew-link.ts'

const BATCH = 200
const TASK = { kind: 'lift locks', failure: 'The lock of a paid claim could not be lifted.' } as const
const LOCK_SECONDS = DAY

/**
 * Unlocks paid claims a day after they were locked, with a new mail to their address: a stranger's guesses don't keep a
 * buyer out for ever. After too many of them the mail has a new link, which the stranger doesn't know.
 */
export async function liftLocks(worker: SystemContext): Promise<void> {
  const since = secondsFrom(worker.now(), -LOCK_SECONDS).toISOString()
  const due = await findReady(worker, TASK, BATCH, ({ skip, take }) =>
    worker.sql<DueRow>(Prisma.sql`
    SELECT e.id::text, e.organization_id::text AS "organizationId"
    FROM email_claims e JOIN purchase_intents i ON i.id = e.purchase_intent_id
    WHERE e.state = 'LOCKED' AND e.purchase_intent_id IS NOT NULL AND e.updated_at <= ${since}::timestamptz
      AND i.provider = 'CARD_PROVIDER'
    ORDER BY e.updated_at, e.id LIMIT ${take} OFFSET ${skip}`),
  )
  await sweep(worker, TASK, due, (ctx, { id }) => inTransaction(ctx, (tx) => lift(tx, id)))
}

async function lift(tx: Context, id: string): Promise<void> {
  const claim = await lockClaimInFull(tx, id)
  if (claim.state !== 'LOCKED') return
  await advanceClaim(tx, claim, 'OPEN', { wrongPins: 0 }, 'A day has passed since it was locked.')
  if (needsNewLink(claim)) await renewLink(tx, claim)
  await mailLink(tx, await readClaim(tx, id), { isFollowUp: true })
}
