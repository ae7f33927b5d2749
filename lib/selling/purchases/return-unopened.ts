import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { expireClaim } from '../../giving/expire-claims.ts'
import { HOUR, secondsFrom } from '../../core/clock.ts'
import { env } from '../../core/env.ts'
import { log } from '../../core/log.ts'
import { isDatabaseDown } from '../../db/errors.ts'

const BATCH = 200

/** Free claims from listings that nobody has opened for days return, so that nobody empties a listing with mailboxes that aren't theirs. */
export async function returnUnopened(ctx: Context, hours = env.UNOPENED_CLAIM_HOURS): Promise<void> {
  if (hours === 0) return
  const due = await ctx.db.emailClaim.findMany({
    where: {
      state: 'OPEN',
      openedAt: null,
      lastPinSentAt: null,
      createdAt: { lte: secondsFrom(ctx.now(), -hours * HOUR) },
      purchaseIntent: { provider: 'EMAIL_CLAIM' },
      vouchers: { none: { state: 'PENDING' } },
    },
    orderBy: { id: 'asc' },
    take: BATCH,
    select: { id: true },
  })
  for (const { id } of due) {
    try {
      await inTransaction(ctx, (tx) => expireClaim(tx, id, { unopened: true }))
    } catch (error) {
      if (isDatabaseDown(error)) throw error
      log.error({ error, claimId: id }, 'An unopened claim could not be ended.')
    }
  }
}
