import { type Context, inTransaction, type WorkerContext } from '../platform/auth/context.ts'
import { DAY, secondsFrom } from '../core/clock.ts'
import { findReady, sweep } from '../platform/jobs/sweep.ts'
import { advanceClaim } from './advance-claim.ts'
import { mailLink } from './claim-mails.ts'
import { needsNewLink } from './claim-state.ts'
import { lockClaimInFull, readClaim } from './read-claim.ts'
import { renewLink } from './renew-link.ts'

const BATCH = 200
const TASK = { kind: 'lift locks', failure: 'The lock of a paid claim could not be lifted.' }
const LOCK_SECONDS = DAY

/**
 * Unlocks paid claims a day after they were locked, with a new mail to their address: a stranger's guesses don't keep a
 * buyer out for ever. After too many of them the mail has a new link, which the stranger doesn't know.
 */
export async function liftLocks(worker: WorkerContext): Promise<void> {
  const since = { lte: secondsFrom(worker.now(), -LOCK_SECONDS) }
  const due = await findReady(worker, TASK, BATCH, (range) =>
    worker.db.emailClaim.findMany({
      where: { state: 'LOCKED', updatedAt: since, purchaseIntent: { provider: 'CARD_PROVIDER' } },
      orderBy: { id: 'asc' },
      select: { id: true, organizationId: true },
      ...range,
    }),
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
