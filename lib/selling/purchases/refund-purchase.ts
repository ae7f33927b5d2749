import type { Output } from '../../platform/api/endpoint.ts'
import type { refundPurchaseIntent as endpoint } from '../../platform/api/purchase-decisions.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { AppError, notFound } from '../../core/errors.ts'
import { hasUnappliedFacts } from '../../onchain/vouchers/has-unapplied-facts.ts'
import { recoveringError } from '../../orders/recovering.ts'
import { assertAccountNotRecovering } from '../payments/recovery.ts'
import { requestRefund } from '../payments/request-refund.ts'
import { concludePurchase } from './conclude-purchase.ts'
import { lockPurchaseAndClaims } from './lock-purchase.ts'
import { purchaseFailed } from './purchase-failed.ts'
import { type PurchaseRow, readPurchase } from './read-purchase.ts'
import { adminPurchaseOf, hasValidVoucher, isInFlight } from './show-purchase.ts'
import { waitsForRecovery } from './waits-for-recovery.ts'
import { stopDeliveries } from './stop-deliveries.ts'

const REASON = 'The seller refunded it.'

/**
 * Refunds all of a purchase's money that wasn't refunded before. What isn't delivered yet is stopped in the same
 * transaction; while something signed may still be mined the refund is refused, so that never both happen. What was
 * delivered stays with the buyer.
 */
export async function refundPurchase(ctx: Context, id: string): Promise<Output<typeof endpoint>> {
  if (!(await ctx.db.purchaseIntent.findFirst({ where: { id }, select: { id: true } }))) throw notFound()
  return inTransaction(ctx, async (tx) => {
    const intent = await lockPurchaseAndClaims(tx, id)
    const row = await readPurchase(tx, id)
    const [payment] = row.payments
    if (payment?.state === 'REFUNDING' && payment.refundMinor === null) return adminPurchaseOf(tx, row)
    assertRefundable(row)
    if (await waitsForRecovery(tx, intent)) throw recoveringError()
    await assertAccountNotRecovering(tx, payment!.integrationId)
    if (await hasUnappliedFacts(tx, { OR: [{ purchaseIntentId: id }, { claim: { purchaseIntentId: id } }] }))
      throw inFlight()
    await recordAudit(tx, { action: 'purchase_intent.refund_ordered', subject: { type: 'purchase_intent', id } })
    await requestRefund(tx, id)
    // A purchase that was delivered in full stays delivered.
    if (intent.fulfillmentStatus !== 'COMPLETED') {
      const failed = await purchaseFailed(tx, intent, REASON)
      await stopDeliveries(tx, failed, REASON)
      await concludePurchase(tx, failed)
    }
    return adminPurchaseOf(tx, await readPurchase(tx, id))
  })
}

function assertRefundable(row: PurchaseRow): void {
  const [payment] = row.payments
  const no = (detail: string) => new AppError('not_refundable', detail)
  if (row.provider === 'MINT_VOUCHER')
    throw no('What was paid with a voucher went straight to the payout address: nothing of it is here to be refunded.')
  if (row.provider !== 'CARD_PROVIDER') throw no('This purchase was free.')
  if (payment?.state === 'REFUNDED' || row.status === 'REFUNDED') throw no('This purchase was refunded already.')
  if (payment?.state === 'REFUNDING')
    throw no('A part of it is being refunded right now. Ask again for the rest when that is done.')
  if (payment?.state === 'DISPUTED')
    throw no(
      'The buyer disputes this payment with their bank: the card provider takes no refund for it. ' +
        'Answer the dispute there.',
    )
  if (payment?.state !== 'SUCCEEDED') throw no('This purchase was not paid.')
  if (hasValidVoucher(row))
    throw new AppError(
      'voucher_out',
      'The recipient holds a mint voucher for it. Revoke the email claim: ' +
        'the refund follows once the chain has cancelled the voucher.',
    )
  if (isInFlight(row)) throw inFlight()
}

const inFlight = () =>
  new AppError('mint_in_flight', 'Its mint was sent to the chain a moment ago. Ask again when the chain has decided.', {
    retryAfterSeconds: 15,
  })
