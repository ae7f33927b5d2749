import type { Payment } from '../../../generated/prisma/client.ts'
import type { Context } from '../../platform/auth/context.ts'
import { CardAccountLost, CardsUnavailable } from '../../ports/cards/cards.ts'
import { DAY, secondsFrom } from '../../core/clock.ts'
import { log } from '../../core/log.ts'
import { isDatabaseDown } from '../../db/errors.ts'
import { cancelPayment } from './cancel-payment.ts'
import { cardsOf } from './card-desk.ts'
import { createAtProvider } from './create-at-provider.ts'
import { PAID } from './payment-state.ts'
import { processCardEvent } from './process-card-event.ts'
import { readIntegration } from './read-integration.ts'
import { refundPayment } from './refund-payment.ts'
import { applyProviderState } from './apply-provider-state.ts'

/** How long a payment is left to the events about it before the provider is asked. */
const OPEN_SECONDS = 20
const BATCH = 200
const AT_ONCE = 5
/** How far back the nightly round goes: disputes come in for months. */
const NIGHTLY_DAYS = 180
/** A provider repeats an event for days, not for months. */
const EVENT_LIFE_DAYS = 90

/**
 * Whatever an event was lost for, a crash interrupted or a provider didn't answer: asked for again, so that no payment waits for
 * anything but its buyer. Answers how many it looked at.
 */
export async function reconcileOpenPayments(ctx: Context): Promise<number> {
  const before = secondsFrom(ctx.now(), -OPEN_SECONDS)
  const unseen = { OR: [{ checkedAt: null }, { checkedAt: { lte: before } }], createdAt: { lte: before } }
  const open = await ctx.db.payment.findMany({
    where: { state: { in: ['CREATING', 'OPEN', 'CANCELLING'] }, ...unseen },
    orderBy: [{ checkedAt: { sort: 'asc', nulls: 'first' } }, { id: 'asc' }],
    take: BATCH,
  })
  await each(open, (payment) => reconcile(ctx, payment))
  const refunds = await ctx.db.payment.findMany({
    where: { state: 'REFUNDING', nextRefundAt: { lte: ctx.now() } },
    orderBy: { nextRefundAt: 'asc' },
    take: BATCH,
  })
  await each(refunds, (payment) => refundPayment(owned(ctx, payment), payment.id))
  const events = await ctx.db.cardEvent.findMany({
    where: { processedAt: null, createdAt: { lte: before } },
    orderBy: { createdAt: 'asc' },
    take: BATCH,
    select: { id: true },
  })
  await each(events, ({ id }) => processCardEvent(ctx, id))
  return open.length + refunds.length + events.length
}

/** Looks at everything paid and every account once more: a refund or a dispute made there, a permission taken away. */
export async function reconcileEverything(ctx: Context): Promise<void> {
  const night = secondsFrom(ctx.now(), -DAY)
  for (let after = ''; ;) {
    const paid = await ctx.db.payment.findMany({
      where: {
        state: { in: [...PAID] },
        createdAt: { gte: secondsFrom(ctx.now(), -NIGHTLY_DAYS * DAY) },
        OR: [{ checkedAt: null }, { checkedAt: { lte: night } }],
        ...(after && { id: { gt: after } }),
      },
      orderBy: { id: 'asc' },
      take: BATCH,
    })
    await each(paid, (payment) => reconcile(ctx, payment))
    after = paid.at(-1)?.id ?? ''
    if (paid.length < BATCH) break
  }
  const accounts = await ctx.db.paymentIntegration.findMany({
    where: { status: { not: 'DISCONNECTED' }, accountId: { not: null } },
    orderBy: { id: 'asc' },
  })
  await each(accounts, (integration) => readIntegration(owned(ctx, integration), integration.id))
  await ctx.db.cardEvent.deleteMany({ where: { processedAt: { lt: secondsFrom(ctx.now(), -EVENT_LIFE_DAYS * DAY) } } })
}

/** Accounts whose owners may be through with onboarding, and whose event was lost. */
export async function reconcilePendingAccounts(ctx: Context): Promise<void> {
  const waiting = await ctx.db.paymentIntegration.findMany({
    where: { status: 'PENDING', accountId: { not: null } },
    orderBy: { refreshedAt: 'asc' },
    take: BATCH,
  })
  await each(waiting, (integration) => readIntegration(owned(ctx, integration), integration.id))
}

async function reconcile(worker: Context, payment: Payment): Promise<void> {
  const ctx = owned(worker, payment)
  // Whatever comes of it, the others have their turn before this one is looked at again.
  await ctx.db.payment.updateMany({ where: { id: payment.id }, data: { checkedAt: ctx.now() } })
  if (payment.state === 'CREATING') return void (await createAtProvider(ctx, payment.id))
  if (payment.state === 'CANCELLING') return void (await cancelPayment(ctx, payment.id))
  if (!payment.providerId) return
  try {
    await applyProviderState(
      ctx,
      payment.id,
      await cardsOf(ctx, payment).payments.read(payment.accountId, payment.providerId),
    )
  } catch (error) {
    if (!(error instanceof CardAccountLost)) throw error
    await readIntegration(ctx, payment.integrationId)
    if (payment.state === 'OPEN') await cancelPayment(ctx, payment.id)
  }
}

const owned = (ctx: Context, { organizationId }: { organizationId: string }): Context => ({ ...ctx, organizationId })

/** What goes wrong with one doesn't keep the others waiting. */
async function each<T extends { id: string }>(rows: readonly T[], look: (row: T) => Promise<unknown>): Promise<void> {
  const tryIt = async (row: T) => {
    try {
      await look(row)
    } catch (error) {
      if (isDatabaseDown(error)) throw error
      if (!(error instanceof CardsUnavailable))
        log.error({ error, id: row.id }, 'A payment could not be reconciled; it is tried again.')
    }
  }
  for (let at = 0; at < rows.length; at += AT_ONCE) await Promise.all(rows.slice(at, at + AT_ONCE).map(tryIt))
}
