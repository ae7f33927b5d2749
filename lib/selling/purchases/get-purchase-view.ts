import type { Output } from '../../platform/api/endpoint.ts'
import type { getPurchaseIntent as endpoint } from '../../platform/api/purchases.ts'
import type { Context } from '../../platform/auth/context.ts'
import { notFound } from '../../core/errors.ts'
import { emailHintOf } from '../../giving/claim-state.ts'
import { findCardData } from '../payments/create-at-provider.ts'
import { findPurchase } from './find-purchases.ts'
import { type ListedPurchase, madePurchaseOf, voucherDataOf } from './show-purchase.ts'

type View = Output<typeof endpoint>

/**
 * A purchase for whoever has its secret, with what it can still be paid with; with nothing of that while it is
 * suspended.
 */
export async function getPurchaseView(ctx: Context, id: string): Promise<View> {
  const found = await findPurchase(ctx, id)
  if (!found) throw notFound()
  const { row, timeline, suspended } = found
  return { ...madePurchaseOf(ctx, row, timeline, suspended ? null : await dataOf(ctx, row)), suspended }
}

/**
 * The `data` of a purchase: what its provider needs while it can be paid, else null; of a claim by email, a hint of the
 * address. Reading never creates anything at the provider.
 */
async function dataOf(ctx: Context, row: ListedPurchase): Promise<View['data']> {
  if (row.provider === 'EMAIL_CLAIM') return { email_hint: emailHintOf(row.buyerEmail!) }
  if (row.status !== 'PENDING') return null
  if (row.provider === 'MINT_VOUCHER') return voucherOf(ctx, row)
  const [payment] = row.payments
  // It may be paid since it was read: then there is nothing left to pay with.
  return payment?.state === 'OPEN' ? findCardData(ctx, payment.id) : null
}

async function voucherOf(ctx: Context, { status, vouchers: [newest] }: ListedPurchase): Promise<View['data']> {
  if (newest?.state !== 'PENDING') return null
  const vouchers = await ctx.db.voucher.findMany({ where: { id: newest.id } })
  return voucherDataOf({ status, vouchers }, ctx.now())
}
