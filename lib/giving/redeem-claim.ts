import { z } from 'zod'
import type { Voucher } from '../../generated/prisma/client.ts'
import type { Input, Output } from '../platform/api/endpoint.ts'
import { claimView, type redeemClaim as endpoint } from '../platform/api/public-claims.ts'
import { type Context, inTransaction } from '../platform/auth/context.ts'
import { crashPoint } from '../core/crash.ts'
import { AppError, fieldError } from '../core/errors.ts'
import { serializeByKey } from '../core/serialize-by-key.ts'
import { lockCustody, assertDeliverableNow } from '../stock/custody.ts'
import { assertReceives, isReceiverAsked } from '../onchain/mints/assert-receives.ts'
import { issueVoucher } from '../onchain/vouchers/issue-voucher.ts'
import { voucherEntryOf } from '../onchain/vouchers/show-voucher.ts'
import { assertUnminted, type SignedVoucher, signVoucher } from '../onchain/vouchers/sign-voucher.ts'
import { recordEvent } from '../messaging/webhooks/record-event.ts'
import { claimEventOf } from './claim-event.ts'
import { linkOf, assertActive } from './current-claim.ts'
import { getClaimView } from './get-claim-view.ts'
import { assertStillHeld } from './end-lost-claim.ts'
import { lockClaim } from './read-claim.ts'
import { pinExpired } from './redemptions/judge-pin.ts'
import { shownIn } from './redemptions/pin-proof.ts'
import { spendPin } from './redemptions/spend-pin.ts'
import { type Redeemable, readRedeemable } from './redemptions/read-redeemable.ts'
import { MINTED, redeemTogether } from './redemptions/redeem-together.ts'

type Body = Input<typeof endpoint>['body']
type Result = Output<typeof endpoint>

/**
 * Redeems a claim with the PIN from its mailbox, or in a browser that has shown it before. SELLER: our mint request is written in the same transaction. BUYER:
 * returns the pending voucher, or a new one. Calls to the network and signing come before the transaction; the PIN is
 * checked after everything that costs no try, and used up together with the effect. A second redemption is refused with
 * the claim's public state.
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
  const receiverUnasked = claim.txPayer === 'SELLER' && !(await isReceiverAsked(ctx, claim.item, receiver))
  if (claim.txPayer === 'BUYER') await assertReceives(ctx, claim.item, receiver)
  const mintTo = claim.txPayer === 'SELLER' ? body.address : null
  const verdict = await redeemTogether({ ctx, claim, shown, mintTo, receiverUnasked })
  return verdict.is === 'minted' ? MINTED : redeemForVoucher(ctx, claim, verdict.pinId, body.address)
}

async function redeemForVoucher(ctx: Context, claim: Redeemable, pinId: string, minter: string): Promise<Result> {
  const signed = (await findPending(ctx, claim.id)) ? null : await signVoucher(ctx, claim, minter)
  crashPoint('voucher_signed')
  return inTransaction(ctx, async (tx) => {
    await lockAndUsePin(tx, claim.id, pinId)
    const pending = await findPending(tx, claim.id)
    const voucher = pending ?? (await issue(tx, claim, signed))
    // Expired by our clock but not yet by the chain's: it can't be sent any more, and a second voucher could mint
    // twice.
    if (Number(voucher.expiry) * 1000 <= tx.now().getTime())
      throw new AppError(
        'voucher_running_out',
        'The earlier voucher is just running out on the chain. Try again in a minute.',
        { retryAfterSeconds: 30 },
      )
    return { status: 'VOUCHER_ISSUED', voucher: voucherEntryOf(voucher) }
  })
}

const findPending = (ctx: Context, claimId: string): Promise<Voucher | null> =>
  ctx.db.voucher.findFirst({ where: { claimId, state: 'PENDING' } })

async function issue(tx: Context, claim: Redeemable, signed: SignedVoucher | null): Promise<Voucher> {
  if (!signed) throw new AppError('conflict', 'The voucher changed meanwhile. Try again.')
  assertUnminted(await lockCustody(tx, claim.itemId))
  const voucher = await issueVoucher(tx, { claimId: claim.id }, signed)
  await tx.db.emailClaim.updateMany({
    where: { id: claim.id },
    data: { toAddress: voucher.minter, redeemedAt: tx.now() },
  })
  await recordEvent(
    tx,
    'claim.redeemed',
    voucher.id,
    claimEventOf(claim, { to_address: voucher.minter, voucher_id: voucher.id }),
  )
  return voucher
}

/** Since the guess the claim may have been redeemed, revoked, or sent to another address. */
async function lockAndUsePin(tx: Context, claimId: string, pinId: string): Promise<void> {
  assertActive(tx, await lockClaim(tx, claimId))
  await spendPin(tx, pinId)
}
