import { type Address, zeroAddress } from 'viem'
import { withoutIdempotentResult, type Context, inTransaction } from '../../platform/auth/context.ts'
import { env } from '../../core/env.ts'
import { AppError } from '../../core/errors.ts'
import { feeOf } from '../../core/money.ts'
import { withCollection } from '../../catalog/items/show-item.ts'
import { REFUSALS } from '../../offers/listings/obstacles.ts'
import { findPayoutAddress } from '../../organizations/find-payout-address.ts'
import { issueVoucher } from '../../onchain/vouchers/issue-voucher.ts'
import { lockCustody, assertVoucherPossible } from '../../stock/custody.ts'
import { assertUnminted, FREE, signTerms, type VoucherMoney } from '../../onchain/vouchers/sign-voucher.ts'
import { lockPurchase } from './lock-purchase.ts'

/**
 * Signs the voucher that a purchase is paid with and issues it, once. Call it outside a transaction; a repeat changes
 * nothing.
 */
export async function issuePurchaseVoucher(ctx: Context, intentId: string): Promise<void> {
  const mine = { purchaseIntentId: intentId }
  if (await ctx.db.voucher.findFirst({ where: mine, select: { id: true } })) return
  const intent = await ctx.db.purchaseIntent.findFirstOrThrow({
    where: { id: intentId },
    include: { listing: true, units: { include: { item: withCollection } } },
  })
  const [unit] = intent.units
  if (!unit || intent.units.length > 1 || !intent.buyerAddress)
    throw new AppError('internal', 'A voucher is for units of one item.')
  const { price, currencyAddress } = intent.listing
  const money = moneyOf(
    { price: BigInt(price.toFixed()), currencyAddress },
    unit.quantity,
    price.isZero() ? null : await findPayoutAddress(ctx, intent.organizationId),
  )
  const signed = await signTerms(
    ctx,
    { item: unit.item, quantity: unit.quantity, expiresAt: intent.expiresAt, money },
    intent.buyerAddress,
  )
  await inTransaction(withoutIdempotentResult(ctx), async (tx) => {
    const now = await lockPurchase(tx, intentId)
    const isOpen = now.status === 'PENDING' && now.expiresAt > tx.now()
    if (!isOpen || (await tx.db.voucher.findFirst({ where: mine, select: { id: true } }))) return
    const item = await lockCustody(tx, unit.itemId)
    assertVoucherPossible(item, 'provider')
    assertUnminted(item)
    await issueVoucher(tx, mine, signed)
  })
}

/**
 * The price of one unit, and the platform's share of the total; the rest is the organization's. Throws while it has no
 * payout address.
 */
export function moneyOf(
  listing: { price: bigint; currencyAddress: string | null },
  quantity: bigint,
  payoutAddress: string | null,
  platform = { bps: env.PLATFORM_FEE_BPS, address: env.PLATFORM_FEE_ADDRESS },
): VoucherMoney {
  const { price } = listing
  const currency = (listing.currencyAddress ?? zeroAddress) as Address
  if (price === 0n) return { ...FREE, currency }
  if (!payoutAddress) throw REFUSALS.PAYOUT_ADDRESS_MISSING()
  const fee = platform.address ? feeOf(price * quantity, platform.bps) : 0n
  return {
    price,
    currency,
    netRecipient: payoutAddress as Address,
    initialRecipient: (fee > 0n ? platform.address : zeroAddress) as Address,
    initialRecipientAmount: fee,
  }
}
