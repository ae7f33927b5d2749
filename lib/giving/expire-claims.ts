import { type Context, inTransaction } from '../platform/auth/context.ts'
import { log } from '../core/log.ts'
import { isDatabaseDown } from '../db/errors.ts'
import { discardMails } from '../messaging/outbox/discard-mails.ts'
import { advanceClaim } from './advance-claim.ts'
import { inactiveReasonOf } from './claim-state.ts'
import { giveUnitsBack } from './give-units-back.ts'
import { lockInFull } from './read-claim.ts'
import { voidPins } from './void-pins.ts'

const BATCH = 200

/**
 * Ends claims whose time is over and gives their units back. One whose voucher is still out waits for that: its units could
 * still be minted. Answers how many ended.
 */
export async function expireClaims(ctx: Context): Promise<number> {
  const due = await ctx.db.emailClaim.findMany({
    where: {
      state: { in: ['OPEN', 'LOCKED'] },
      expiresAt: { lte: ctx.now() },
      vouchers: { none: { state: 'PENDING' } },
    },
    orderBy: { expiresAt: 'asc' },
    take: BATCH,
    select: { id: true },
  })
  let ended = 0
  for (const { id } of due) {
    try {
      if (await inTransaction(ctx, (tx) => expireClaim(tx, id))) ended++
    } catch (error) {
      if (isDatabaseDown(error)) throw error
      log.error({ error, claimId: id }, 'A claim past its time could not be ended.')
    }
  }
  return due.length === BATCH && ended > 0 ? ended + (await expireClaims(ctx)) : ended
}

/** Ends one claim if its time is over, or if nobody ever opened it. false: it lives on. */
export async function expireClaim(ctx: Context, id: string, { unopened = false } = {}): Promise<boolean> {
  const claim = await lockInFull(ctx, id)
  const open = claim.state === 'OPEN' || claim.state === 'LOCKED'
  const over = unopened ? !claim.openedAt && !claim.lastPinSentAt : inactiveReasonOf(claim, ctx.now()) === 'EXPIRED'
  if (!open || !over || claim.vouchers[0]?.state === 'PENDING') return false
  const tx = { ...ctx, organizationId: claim.organizationId }
  await advanceClaim(tx, claim, 'EXPIRED')
  await voidPins(tx, id)
  await discardMails(tx, id, ['REDEEM_NFT', 'CLAIM_PINCODE', 'CLAIM_REMINDER'])
  await giveUnitsBack(tx, claim, 'EXPIRED')
  return true
}
