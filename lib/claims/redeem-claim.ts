import type { Input, Output } from '../api/endpoint.ts'
import type { redeemClaim as endpoint } from '../api/public-claims.ts'
import { type Context, inTransaction } from '../auth/context.ts'
import { AppError, fieldError } from '../core/errors.ts'
import { mustReceive } from '../mints/must-receive.ts'
import { requestMint } from '../mints/request-mint.ts'
import { issueVoucher } from '../vouchers/issue-voucher.ts'
import { voucherEntryOf } from '../vouchers/show-voucher.ts'
import { type SignedVoucher, signVoucher } from '../vouchers/sign-voucher.ts'
import { recordEvent } from '../webhooks/record-event.ts'
import { advanceClaim } from './advance-claim.ts'
import { claimEventOf } from './claim-event.ts'
import { linkOf, refuseInactive } from './current-claim.ts'
import { guessPin, pinExpired } from './guess-pin.ts'
import { type ClaimRow, lockClaim, readClaim } from './read-claim.ts'

type Result = Output<typeof endpoint>

/**
 * Redeems a claim with the PIN from its mailbox. SELLER: our mint is written in the same transaction. BUYER: the voucher that
 * is pending, or a new one. What the network must be asked and what must be signed comes before the transaction; the PIN is
 * judged after everything that costs no try, and used up together with the effect.
 */
export async function redeemClaim(ctx: Context, body: Input<typeof endpoint>['body']): Promise<Result> {
  const claim = await readClaim(ctx, linkOf(ctx).id)
  await refuseInactive(ctx, claim)
  const pin = body.pin?.replace(/[\s-]/g, '')
  if (!pin) throw fieldError('pin_required', 'pin', 'Type the PIN that we mailed to you.')
  if (!body.address) throw fieldError('address_required', 'address', 'Say where it should go.')
  if (!(await ctx.db.pin.findFirst({ where: { claimId: claim.id, state: 'OPEN', expiresAt: { gt: ctx.now() } } }))) throw pinExpired()
  await mustReceive(ctx, claim.item, { address: body.address, quantity: claim.quantity })
  const pinId = await guessPin(ctx, claim.id, pin)
  if (claim.txPayer === 'SELLER') return redeemForMint(ctx, claim.id, pinId, body.address)
  return redeemForVoucher(ctx, claim, pinId, body.address)
}

const redeemForMint = (ctx: Context, claimId: string, pinId: string, toAddress: string): Promise<Result> =>
  inTransaction(ctx, async (tx) => {
    const claim = await lockClaim(tx, claimId)
    await usePin(tx, claim, pinId)
    await advanceClaim(tx, claim, 'REDEEMED', { toAddress, redeemedAt: tx.now() })
    const mint = await requestMint(tx, {
      collectionId: claim.collectionId,
      itemId: claim.itemId,
      quantity: claim.quantity,
      toAddress,
      claimId,
      hold: { from: { type: 'CLAIM', id: claimId } },
    })
    await recordEvent(tx, 'claim.redeemed', mint.id, claimEventOf(claim, { to_address: toAddress, mint_request_id: mint.id }))
    return { status: 'CLAIMED', voucher: null }
  })

async function redeemForVoucher(ctx: Context, before: ClaimRow, pinId: string, minter: string): Promise<Result> {
  const signed = before.vouchers[0]?.state === 'PENDING' ? null : await signVoucher(ctx, before, minter)
  return inTransaction(ctx, async (tx) => {
    const claim = await lockClaim(tx, before.id)
    await usePin(tx, claim, pinId)
    const voucher = pendingVoucher(tx, claim) ?? (await issue(tx, claim, signed))
    return { status: 'VOUCHER_ISSUED', voucher: voucherEntryOf(voucher) }
  })
}

/** One voucher of a claim is out at any time: another one could mint twice. */
function pendingVoucher(tx: Context, claim: ClaimRow) {
  const [voucher] = claim.vouchers
  if (voucher?.state !== 'PENDING') return null
  if (Number(voucher.expiry) * 1000 <= tx.now().getTime())
    throw new AppError('voucher_running_out', 'The earlier voucher is just running out on the chain. Try again in a minute.', { retryAfterSeconds: 30 })
  return voucher
}

async function issue(tx: Context, claim: ClaimRow, signed: SignedVoucher | null) {
  if (!signed) throw new AppError('conflict', 'The voucher changed meanwhile. Try again.')
  const voucher = await issueVoucher(tx, claim.id, signed)
  await tx.db.emailClaim.updateMany({ where: { id: claim.id }, data: { toAddress: voucher.minter, redeemedAt: tx.now() } })
  await recordEvent(tx, 'claim.redeemed', voucher.id, claimEventOf(claim, { to_address: voucher.minter, voucher_id: voucher.id }))
  return voucher
}

/** Between the guess and now the claim may have been redeemed, revoked, or sent to another address. */
async function usePin(tx: Context, claim: ClaimRow, pinId: string): Promise<void> {
  await refuseInactive(tx, claim)
  const { count } = await tx.db.pin.updateMany({ where: { id: pinId, state: 'OPEN' }, data: { state: 'USED' } })
  if (count === 0) throw pinExpired()
}
