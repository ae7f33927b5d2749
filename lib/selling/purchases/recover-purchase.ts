import type { Listing, Mode } from '../../../generated/prisma/client.ts'
import { raiseAlarm } from '../../records/alarms/raise-alarm.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import type { Context } from '../../platform/auth/context.ts'
import { amountOf } from '../../core/money.ts'
import { retakeUnits } from '../../offers/listings/units.ts'
import type { MarkedOrder, MarkedPurchase } from '../payments/payment-mark.ts'
import { holdForPurchase } from './hold-for-purchase.ts'
import { purchaseEventOf } from './purchase-event.ts'
import { secretColumnsOf } from './purchase-secret.ts'

type Paid = { id: string; amountMinor: bigint; currency: string; createdAt: Date; isRefunded: boolean }

const REASON =
  'It was found at the card provider after the database was restored. Whether it was delivered, ' +
  'and to whom, isn’t known here.'

/**
 * The listing for which the purchase can be recreated; null when the books don't have it, or have the purchase or its
 * payment already.
 */
export async function findRecoverable(
  tx: Context,
  { paymentId, intentId, listingId }: MarkedPurchase,
  { mode, currency }: { mode: Mode; currency: string },
): Promise<Listing | null> {
  if (await tx.db.purchaseIntent.findFirst({ where: { id: intentId }, select: { id: true } })) return null
  if (await tx.db.payment.findFirst({ where: { id: paymentId }, select: { id: true } })) return null
  return tx.db.listing.findFirst({ where: { id: listingId, mode, currency } })
}

/**
 * Recreates a paid purchase that the books lost, as UNRESOLVED: a person finds out whether it was delivered. Units are
 * set aside for it where its listing has them, unless all of it was refunded. Its secret is the old one, so the buyer's
 * page works again.
 */
export async function recoverPurchase(tx: Context, order: MarkedOrder, listing: Listing, paid: Paid): Promise<void> {
  const { intentId: id, quantity } = order
  const intent = await tx.db.purchaseIntent.create({
    data: {
      id,
      organizationId: tx.organizationId,
      listingId: listing.id,
      mode: listing.mode,
      provider: 'CARD_PROVIDER',
      status: 'UNRESOLVED',
      fulfillmentMethod: order.method,
      quantity,
      total: paid.amountMinor.toString(),
      currency: paid.currency,
      ...secretColumnsOf({ id, secretGeneration: 0 }, order.serverKeyId),
      unitsState: 'RETURNED',
      failure: REASON,
      expiresAt: paid.createdAt,
      recoveredAt: tx.now(),
      createdAt: paid.createdAt,
    },
  })
  await recordAudit(tx, {
    action: 'purchase_intent.created',
    subject: { type: 'purchase_intent', id },
    after: purchaseEventOf(intent, {
      status: intent.status,
      fulfillment_status: intent.fulfillmentStatus,
      detail: REASON,
    }),
  })
  if (paid.isRefunded) return
  const units = await retakeUnits(tx, intent)
  if (units) {
    await holdForPurchase(tx, id, listing.id, units)
    await tx.db.purchaseIntent.updateMany({ where: { id }, data: { unitsState: 'OPEN' } })
  }
  const amount = amountOf(paid.amountMinor.toString(), paid.currency, listing.currencyDecimals)
  await raiseAlarm(
    tx,
    'purchase_recovered',
    id,
    `Purchase ${id} was found at the card provider after the database was restored: payment ${paid.id}, ${amount}, ` +
      `for ${quantity} units of listing ${listing.id}. ` +
      `${units ? 'Units are set aside for it.' : 'No units are left for it.'} ` +
      'Its buyer is named in the card provider’s dashboard. Find out whether it was delivered: ' +
      'say so on the purchase’s page, or refund it there.',
  )
}
