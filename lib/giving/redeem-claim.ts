import { z } from 'zod'
import type { Input, Output } from '../platform/api/endpoint.ts'
import { claimView, type redeemClaim as endpoint } from '../platform/api/public-claims.ts'
import type { Context } from '../platform/auth/context.ts'
import { crashPoint } from '../core/crash.ts'
import { AppError, fieldError } from '../core/errors.ts'
import { serializeByKey } from '../core/serialize-by-key.ts'
import { assertDeliverableNow } from '../stock/custody.ts'
import { assertReceives, isReceiverAsked } from '../onchain/mints/assert-receives.ts'
import { voucherRowOf } from '../onchain/vouchers/issue-voucher.ts'
import { assertUnminted, signVoucher } from '../onchain/vouchers/sign-voucher.ts'
import { linkOf } from './current-claim.ts'
import { getClaimView } from './get-claim-view.ts'
import { assertStillHeld } from './end-lost-claim.ts'
import { pinExpired } from './redemptions/judge-pin.ts'
import type { DueVoucher } from './redemptions/judge-redemptions.ts'
import { shownIn } from './redemptions/pin-proof.ts'
import { type Redeemable, readRedeemable } from './redemptions/read-redeemable.ts'
import { judgeShown, redeemTogether, resultOf } from './redemptions/redeem-together.ts'

type Body = Input<typeof endpoint>['body']
type Result = Output<typeof endpoint>

/**
 * Redeems a claim with the PIN from its mailbox, or in a browser that has shown it before. SELLER: our mint request is
 * written in the same transaction. BUYER: returns the pending voucher, or a new one. Calls to the network and signing
 * come before the transaction; the PIN is checked after everything that costs no try, and used up together with the
 * effect. A second redemption is refused with the claim's public state.
 */
export const redeemClaim = (ctx: Context, body: Body): Promise<Result> =>
  serializeByKey(linkOf(ctx).id, async () => {
    try {
      return await redeem(ctx, body)
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'claim_already_claimed') throw error
      const claim = z.encode(claimView, await getClaimView(ctx))
      throw new AppError(error.code, error.message, { extra: { ...error.extra, claim } })
    }
  })

async function redeem(ctx: Context, body: Body): Promise<Result> {
  const claim = await readRedeemable(ctx)
  const shown = shownIn(ctx, body.pin)
  if (!body.address) throw fieldError('address_required', 'address', 'Say where it should go.')
  if ('pin' in shown && !claim.hasPin) throw pinExpired()
  assertStillHeld(claim)
  assertDeliverableNow(ctx, claim.item)
  if (claim.txPayer === 'BUYER') assertUnminted(claim.item)
  const receiver = { address: body.address, quantity: claim.quantity }
  if (claim.txPayer === 'SELLER') {
    const receiverUnasked = !(await isReceiverAsked(ctx, claim.item, receiver))
    return resultOf(await redeemTogether({ ctx, claim, shown, mintTo: body.address, receiverUnasked }))!
  }
  await assertReceives(ctx, claim.item, receiver)
  const provenPinId = await judgeShown({ ctx, claim, shown })
  const voucher = await dueVoucherOf(ctx, claim, body.address)
  crashPoint('voucher_signed')
  // Since the guess the claim may have been redeemed, revoked, or sent to another address: it is judged again.
  return resultOf(await redeemTogether({ ctx, claim, shown: { provenPinId }, mintTo: null, voucher }))!
}

async function dueVoucherOf(ctx: Context, claim: Redeemable, minter: string): Promise<DueVoucher> {
  const pending = await ctx.db.voucher.findFirst({ where: { claimId: claim.id, state: 'PENDING' } })
  if (pending) return { row: pending, isNew: false }
  const signed = await signVoucher(ctx, claim, minter)
  return { row: voucherRowOf(ctx, { claimId: claim.id }, signed, ctx.now()), isNew: true }
}
