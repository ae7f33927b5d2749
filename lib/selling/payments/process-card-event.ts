import type { CardEvent as CardEventRow, PaymentIntegration } from '../../../generated/prisma/client.ts'
import { type Context, within, type SystemContext } from '../../platform/auth/context.ts'
import { CardAccountLost, type CardEvent, CardRefused } from '../../ports/cards/cards.ts'
import { crashPoint } from '../../core/crash.ts'
import { cardsOf } from './card-gateway.ts'
import { disconnectIntegration } from './disconnect-integration.ts'
import { enterLostPayment } from './enter-lost-payment.ts'
import { readLostPayment, WITH_ACCOUNT } from './read-lost-payment.ts'
import { readIntegration } from './read-integration.ts'
import { readPayment } from './read-payment.ts'

/**
 * Processes one event. It only names a payment or account: the state is read from the provider, so that neither the
 * order of events nor forged content matters.
 */
export async function processCardEvent(worker: SystemContext, eventId: string): Promise<void> {
  const event = await worker.db.cardEvent.findUnique({ where: { id: eventId } })
  if (!event || event.processedAt) return
  const failure = await process(worker, event)
  crashPoint('event_processed')
  await worker.db.cardEvent.updateMany({ where: { id: eventId }, data: { processedAt: worker.now(), failure } })
}

/** Returns why the event had no effect; null when it had one. */
async function process(worker: SystemContext, event: CardEventRow): Promise<string | null> {
  const integration = await worker.db.paymentIntegration.findUnique({ where: { accountId: event.accountId } })
  if (!integration || integration.adapter !== event.adapter) return 'The account is not one of ours.'
  if (event.livemode !== (integration.mode === 'LIVE'))
    return `The event is ${event.livemode ? 'live' : 'a test'}, the account is ${integration.mode}.`
  return within(worker, integration.organizationId, (ctx) =>
    processSubject(ctx, integration, event.payload as CardEvent['about']),
  )
}

async function processSubject(
  ctx: Context,
  integration: PaymentIntegration,
  about: CardEvent['about'],
): Promise<string | null> {
  switch (about.kind) {
    case 'payment':
      return processPayment(ctx, integration, about.id)
    case 'account':
      await readIntegration(ctx, integration.id)
      return null
    case 'disconnected':
      await disconnectIntegration(ctx, integration.id, 'It was disconnected at the card provider.')
      return null
    case 'other':
      return 'Nothing follows from it.'
  }
}

async function processPayment(
  ctx: Context,
  integration: PaymentIntegration,
  providerId: string,
): Promise<string | null> {
  const { accountId } = integration
  if (!accountId) return 'The account is not one of ours.'
  try {
    if (await readKnown(ctx, accountId, providerId)) return null
    const facts = await cardsOf(ctx, integration).payments.read(accountId, providerId)
    // An event may arrive before the provider's answer to our request: then the payment has no provider id yet.
    const unanswered = facts.reference
      ? await ctx.db.payment.findFirst({ where: { accountId, providerId: null, id: facts.reference } })
      : null
    if (unanswered) {
      await readPayment(ctx, unanswered, providerId)
      return null
    }
    if (await enterLostPayment(ctx, integration, facts)) return null
    // Another process may have entered it meanwhile, as it was before.
    return (await readKnown(ctx, accountId, providerId)) ? null : 'The payment is not one of ours.'
  } catch (error) {
    if (error instanceof CardRefused || error instanceof CardAccountLost) return error.message
    throw error
  }
}

/** Reads a payment that is in the books. false: it isn't. */
async function readKnown(ctx: Context, accountId: string, providerId: string): Promise<boolean> {
  const payment = await ctx.db.payment.findFirst({ where: { accountId, providerId } })
  if (payment) await readPayment(ctx, payment, providerId)
  const lost = payment
    ? null
    : await ctx.db.lostPayment.findFirst({ where: { accountId, providerId }, ...WITH_ACCOUNT })
  if (lost) await readLostPayment(ctx, lost)
  return payment !== null || lost !== null
}
