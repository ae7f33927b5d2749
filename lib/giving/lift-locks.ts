import { type Context, inTransaction } from '../platform/auth/context.ts'
import { DAY, secondsFrom } from '../core/clock.ts'
import { log } from '../core/log.ts'
import { isDatabaseDown } from '../db/errors.ts'
import { advanceClaim } from './advance-claim.ts'
import { mailLink } from './claim-mails.ts'
import { lockInFull } from './read-claim.ts'

const BATCH = 200
const LOCK_SECONDS = DAY

/** Whoever paid isn't kept out for ever by a stranger's guesses: a day after it was locked, a paid claim opens again, with a new mail to its address. */
export async function liftLocks(ctx: Context): Promise<void> {
  const since = { lte: secondsFrom(ctx.now(), -LOCK_SECONDS) }
  const due = await ctx.db.emailClaim.findMany({
    where: { state: 'LOCKED', updatedAt: since, purchaseIntent: { provider: 'CARD_PROVIDER' } },
    orderBy: { id: 'asc' },
    take: BATCH,
    select: { id: true },
  })
  for (const { id } of due) {
    try {
      await inTransaction(ctx, (tx) => lift(tx, id))
    } catch (error) {
      if (isDatabaseDown(error)) throw error
      log.error({ error, claimId: id }, 'The lock of a paid claim could not be lifted.')
    }
  }
}

async function lift(reach: Context, id: string): Promise<void> {
  const claim = await lockInFull(reach, id)
  if (claim.state !== 'LOCKED') return
  const tx = { ...reach, organizationId: claim.organizationId }
  await advanceClaim(tx, claim, 'OPEN', { wrongPins: 0 }, 'A day has passed since it was locked.')
  await mailLink(tx, claim)
}
