import type { Payment, PurchaseIntent } from '../../../generated/prisma/client.ts'
import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { resolvePurchaseIntent as endpoint } from '../../platform/api/purchase-decisions.ts'
import { recordAudit } from '../../records/audit/record-audit.ts'
import { resolveAlarm } from '../../records/alarms/raise-alarm.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { AppError, notFound } from '../../core/errors.ts'
import { recordEvent } from '../../messaging/webhooks/record-event.ts'
import { confirmUnits } from '../../offers/listings/units.ts'
import { releaseHolds } from '../../stock/advance-hold.ts'
import { advancePayment } from '../payments/advance-payment.ts'
import { lockPayment } from '../payments/lock-payment.ts'
import { assertAccountNotRecovering } from '../payments/recovery.ts'
import { advancePurchase } from './advance-purchase.ts'
import { partsOf } from './delivery-parts.ts'
import { lockPurchase } from './lock-purchase.ts'
import { purchaseEventOf } from './purchase-event.ts'
import { purchaseRefunded } from './purchase-refunded.ts'
import { purchaseUnpaid } from './purchase-unpaid.ts'
import { readPurchase } from './read-purchase.ts'
import { adminPurchaseOf } from './show-purchase.ts'

type Outcome = Input<typeof endpoint>['body']['outcome']

const DELIVERED = 'The seller says that it was delivered.'

/**
 * Ends an UNRESOLVED purchase with what a person found out where we can't look: its account was lost, or it was
 * recovered from its payment. Nothing is sent to the card provider or the chain. What the provider still tells us can't
 * be said otherwise.
 */
export async function resolvePurchase(
  ctx: Context,
  id: string,
  { outcome }: Input<typeof endpoint>['body'],
): Promise<Output<typeof endpoint>> {
  const found = await ctx.db.purchaseIntent.findFirst({
    where: { id },
    select: { payments: { where: { state: { not: 'CANCELLED' } }, select: { id: true } } },
  })
  if (!found) throw notFound()
  const [current] = found.payments
  if (!current) throw notUnresolved('This purchase needs no decision.')
  return inTransaction(ctx, async (tx) => {
    const payment = await lockPayment(tx, current.id)
    const intent = await lockPurchase(tx, id)
    if (intent.status !== 'UNRESOLVED') throw notUnresolved('This purchase needs no decision.')
    await assertAccountNotRecovering(tx, payment.integrationId)
    const { status } = await tx.db.paymentIntegration.findFirstOrThrow({ where: { id: payment.integrationId } })
    assertPossible(outcome, payment, status === 'DISCONNECTED')
    const { live } = await partsOf(tx, id)
    if (live > 0)
      throw new AppError('mint_in_flight', 'A part of it is being delivered. Ask again when the chain has decided.', {
        retryAfterSeconds: 15,
      })
    await recordAudit(tx, {
      action: 'purchase_intent.resolved',
      subject: { type: 'purchase_intent', id },
      after: { outcome },
    })
    await END[outcome](tx, intent, payment)
    return adminPurchaseOf(tx, await readPurchase(tx, id))
  })
}

const notUnresolved = (detail: string) => new AppError('not_unresolved', detail)

function assertPossible(outcome: Outcome, { state }: Payment, isLost: boolean): void {
  const isStuck = state === 'REFUNDING' && isLost && outcome === 'REFUNDED'
  if ((state === 'REFUNDING' && !isStuck) || state === 'DISPUTED')
    throw notUnresolved('A refund or a dispute is under way: that decides about this purchase.')
  if (outcome === 'NOT_PAID' && state !== 'CANCELLING') throw notUnresolved('This purchase was paid.')
  if (outcome === 'REFUNDED' && !isLost)
    throw notUnresolved('Its card account is connected. Refund it here, or at the card provider, which tells us.')
}

const END = { DELIVERED: endDelivered, REFUNDED: endRefunded, NOT_PAID: endUnpaid } as const satisfies Record<
  Outcome,
  (tx: Context, intent: PurchaseIntent, payment: Payment) => Promise<void>
>

/** Its units count as sold; what is still set aside for it is free, since it was delivered otherwise. */
async function endDelivered(tx: Context, intent: PurchaseIntent, payment: Payment): Promise<void> {
  await countPaid(tx, payment)
  const isOpen = intent.unitsState === 'OPEN'
  if (isOpen) await confirmUnits(tx, intent, { limited: false })
  await releaseHolds(tx, { type: 'PURCHASE', id: intent.id })
  const done = await advancePurchase(
    tx,
    intent,
    { status: 'CONFIRMED', fulfillmentStatus: 'COMPLETED' },
    {
      confirmedAt: intent.confirmedAt ?? tx.now(),
      completedAt: intent.completedAt ?? tx.now(),
      failure: null,
      ...(isOpen && { unitsState: 'CONFIRMED' as const }),
    },
    DELIVERED,
  )
  const units = await tx.db.purchaseUnit.findMany({ where: { intentId: intent.id }, select: { itemId: true } })
  await recordEvent(
    tx,
    'purchase.fulfilled',
    intent.id,
    purchaseEventOf(done, { item_ids: units.map(({ itemId }) => itemId) }),
  )
  await resolveAlarm(tx, 'purchase_unresolved', intent.id)
  await resolveAlarm(tx, 'purchase_recovered', intent.id)
}

async function endRefunded(tx: Context, intent: PurchaseIntent, payment: Payment): Promise<void> {
  await countPaid(tx, payment)
  const state = payment.state === 'CANCELLING' ? 'SUCCEEDED' : payment.state
  await advancePayment(tx, { ...payment, state }, 'REFUNDED', {
    refundedAt: tx.now(),
    refundedMinor: payment.amountMinor,
    refundMinor: null,
    nextRefundAt: null,
  })
  await resolveAlarm(tx, 'refund_stuck', payment.id)
  await purchaseRefunded(tx, intent.id, { toCard: false })
}

async function endUnpaid(tx: Context, intent: PurchaseIntent, payment: Payment): Promise<void> {
  await advancePayment(tx, payment, 'CANCELLED')
  await purchaseUnpaid(tx, intent.id)
}

async function countPaid(tx: Context, payment: Payment): Promise<void> {
  if (payment.state === 'CANCELLING')
    await advancePayment(tx, payment, 'SUCCEEDED', { paidAt: tx.now(), clientSecret: null })
}
