import type { LostPaymentOutcome, PaymentIntegration } from '../../../generated/prisma/client.ts'
import { type Context, inTransaction } from '../../platform/auth/context.ts'
import { crashPoint } from '../../core/crash.ts'
import { newId } from '../../core/id.ts'
import { firstAnswer } from '../../db/ask-outside.ts'
import { type CardPayment, CardsUnavailable } from '../../ports/cards/cards.ts'
import { findRecoverable, recoverPurchase } from '../purchases/recover-purchase.ts'
import { applyProviderState } from './apply-provider-state.ts'
import { cardsOf } from './card-gateway.ts'
import { alarmLost } from './read-lost-payment.ts'
import { type MarkedOrder, orderOf } from './payment-mark.ts'
import { startRecovery } from './recovery.ts'

/**
 * Enters a payment of ours that the books don't have, once, and begins the account's recovery. One that is open is
 * cancelled, so that nobody pays for a purchase that isn't known. The purchase of a paid one is recreated where its
 * listing is known; nothing is delivered or refunded. Call it outside a transaction. Returns what became of it; null
 * when it isn't ours or is known.
 */
export async function enterLostPayment(
  ctx: Context,
  integration: PaymentIntegration,
  found: CardPayment,
): Promise<LostPaymentOutcome | null> {
  const { accountId } = integration
  const order = accountId ? orderOf(found, accountId) : null
  if (!accountId || !order || found.livemode !== (integration.mode === 'LIVE')) return null
  if (await isEntered(ctx, accountId, found.id)) return null
  await startRecovery(ctx, integration, found.id)
  const { payments } = cardsOf(ctx, integration)
  const isOver = found.status === 'succeeded' || found.status === 'cancelled'
  const facts = isOver ? found : await payments.cancel(accountId, found.id)
  if (facts.status !== 'succeeded' && facts.status !== 'cancelled')
    throw new CardsUnavailable(`Payment ${found.id} is being paid at this moment.`)
  crashPoint('lost_payment_found')
  return inTransaction(ctx, (tx) => enter(tx, { ...integration, accountId }, order, facts))
}

async function isEntered(ctx: Context, accountId: string, providerId: string): Promise<boolean> {
  const where = { accountId, providerId }
  return (await ctx.db.lostPayment.count({ where })) + (await ctx.db.payment.count({ where })) > 0
}

async function enter(
  tx: Context,
  integration: PaymentIntegration & { accountId: string },
  order: MarkedOrder,
  facts: CardPayment,
): Promise<LostPaymentOutcome | null> {
  const listing = await findRecoverable(tx, order, { mode: integration.mode, currency: facts.currency })
  const outcome = facts.status === 'cancelled' ? 'CANCELLED' : listing ? 'RECOVERED' : 'UNMATCHED'
  const isRefunded = facts.refundedMinor >= facts.amountMinor
  const { count } = await tx.db.lostPayment.createMany({
    data: [
      {
        id: newId(),
        organizationId: tx.organizationId,
        integrationId: integration.id,
        accountId: integration.accountId,
        providerId: facts.id,
        paymentId: order.paymentId,
        intentId: order.intentId,
        listingId: order.listingId,
        quantity: order.quantity,
        amountMinor: facts.amountMinor,
        refundedMinor: facts.refundedMinor,
        currency: facts.currency,
        outcome,
        refundedAt: isRefunded ? tx.now() : null,
        createdAt: tx.now(),
      },
    ],
    skipDuplicates: true,
  })
  if (count === 0) return null
  if (outcome === 'RECOVERED') {
    await recoverPurchase(tx, order, listing!, { ...facts, isRefunded })
    await tx.db.payment.create({
      data: {
        id: order.paymentId,
        organizationId: tx.organizationId,
        intentId: order.intentId,
        integrationId: integration.id,
        mode: integration.mode,
        adapter: integration.adapter,
        accountId: integration.accountId,
        providerId: facts.id,
        state: 'SUCCEEDED',
        amountMinor: facts.amountMinor,
        feeMinor: facts.feeMinor,
        currency: facts.currency,
        paidAt: facts.createdAt,
        createdAt: facts.createdAt,
      },
    })
    // It may have been refunded or disputed since.
    await applyProviderState(tx, firstAnswer({ table: 'payments', id: order.paymentId }, facts))
  }
  if (outcome === 'UNMATCHED' && !isRefunded)
    await alarmLost(tx, { ...order, accountId: integration.accountId, providerId: facts.id, ...facts })
  return outcome
}
