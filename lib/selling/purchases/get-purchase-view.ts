import type { Output } from '../../platform/api/endpoint.ts'
import type { getPurchaseIntent as endpoint } from '../../platform/api/purchases.ts'
import type { Context } from '../../platform/auth/context.ts'
import { emailHintOf } from '../../giving/claim-state.ts'
import { createAtProvider } from '../payments/create-at-provider.ts'
import { type PurchaseRow, readPurchase } from './read-purchase.ts'
import { purchaseViewOf, voucherDataOf } from './show-purchase.ts'

type View = Output<typeof endpoint>

/** A purchase for whoever has its secret, with what it can still be paid with. */
export async function getPurchaseView(ctx: Context, id: string): Promise<View> {
  const row = await readPurchase(ctx, id)
  return purchaseViewOf(ctx, row, await dataOf(ctx, row))
}

/** What its provider needs, while it can be paid. Reading never creates anything at the provider. */
async function dataOf(ctx: Context, row: PurchaseRow): Promise<View['data']> {
  if (row.provider === 'EMAIL_CLAIM') return { email_hint: emailHintOf(row.buyerEmail!) }
  if (row.provider === 'MINT_VOUCHER') return voucherDataOf(row, ctx.now())
  const [payment] = row.payments
  return row.status === 'PENDING' && payment?.state === 'OPEN' ? createAtProvider(ctx, payment.id) : null
}
