import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { CardsUnavailable } from '../../lib/ports/cards/cards.ts'
import { moveClock, resetClock } from '../../lib/core/clock.ts'
import { env } from '../../lib/core/env.ts'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import { reconcileOpenPayments } from '../../lib/selling/payments/reconcile-payments.ts'
import { refundPayment } from '../../lib/selling/payments/refund-payment.ts'
import { ports } from '../../lib/ports/ports.ts'
import { refundPurchase } from '../../lib/selling/purchases/refund-purchase.ts'
import { drainJobs, makeCardShop, overrideCards, processCardEvents } from '../support/card-sales.ts'
import { confirmCardPayment } from '../support/confirm-card-payment.ts'
import { installFakeChain } from '../support/claims.ts'

beforeEach(() => {
  resetClock()
  installFakeChain()
  Object.assign(env, { OPEN_INTENTS_PER_BUYER: 0, OPEN_INTENTS_PER_CLIENT: 0 })
})

describe('refunds', () => {
  const makePaidPurchase = async (card = 'pm_card_visa') => {
    const shop = await makeCardShop()
    const purchase = await shop.buy()
    await confirmCardPayment(purchase.data.client_secret, { payment_method: card })
    await processCardEvents()
    return { shop, purchase }
  }
  const refundsOf = (providerId: string) =>
    systemClient().sandboxRefund.findMany({ where: { paymentIntentId: providerId } })

  test('are made once, however often and concurrently the job runs', async () => {
    const { shop, purchase } = await makePaidPurchase()
    await refundPurchase(shop.ctx, purchase.id)
    await Promise.all(Array.from({ length: 5 }, () => refundPayment(shop.ctx, purchase.paymentId)))
    await drainJobs('refund-payment')
    await processCardEvents()
    expect((await shop.stateOf(purchase)).slice(0, 1).concat((await shop.stateOf(purchase))[2]!)).toEqual([
      'REFUNDED',
      'REFUNDED',
    ])
    expect(await refundsOf(purchase.providerId)).toHaveLength(1)
    expect(await shop.ctx.db.event.count({ where: { type: 'purchase.refunded', key: purchase.id } })).toBe(1)
  })

  test.each([1, 2])('whose answer was lost %i time(s) are found at the provider, not made again', async (times) => {
    const { shop, purchase } = await makePaidPurchase()
    let losses = 0
    overrideCards(({ refunds }) => ({
      refunds: {
        ...refunds,
        create: async (...order) => {
          const refund = await refunds.create(...order)
          if (losses++ < times) throw new CardsUnavailable('The answer was lost.')
          return refund
        },
      },
    }))
    await refundPurchase(shop.ctx, purchase.id)
    for (let at = 0; at <= times; at++) {
      await refundPayment(shop.ctx, purchase.paymentId)
      moveClock(10 * 60_000)
    }
    expect((await shop.stateOf(purchase))[2]).toBe('REFUNDED')
    expect(await refundsOf(purchase.providerId)).toHaveLength(1)
  })

  test('made by hand at the provider are recorded, and “already refunded” counts as success', async () => {
    const { shop, purchase } = await makePaidPurchase()
    await ports().cards.known[0]!.refunds.create(newId(), {
      accountId: shop.integration.accountId!,
      paymentId: purchase.providerId,
      reference: 'by hand',
      withFee: false,
      amountMinor: null,
    })
    await refundPurchase(shop.ctx, purchase.id)
    await drainJobs('refund-payment')
    expect((await shop.stateOf(purchase))[2]).toBe('REFUNDED')
    expect(await refundsOf(purchase.providerId)).toHaveLength(1)

    const second = await makePaidPurchase()
    await ports().cards.known[0]!.refunds.create(newId(), {
      accountId: second.shop.integration.accountId!,
      paymentId: second.purchase.providerId,
      reference: 'by hand',
      withFee: false,
      amountMinor: null,
    })
    await processCardEvents()
    expect(await second.shop.stateOf(second.purchase)).toEqual(['REFUNDED', 'EXCEPTION', 'REFUNDED'])
  })

  test('of a part that were made by hand at the provider leave the purchase paid until all is refunded', async () => {
    const { shop, purchase } = await makePaidPurchase()
    const refundByHand = async (amountMinor: bigint) => {
      await ports().cards.known[0]!.refunds.create(newId(), {
        accountId: shop.integration.accountId!,
        paymentId: purchase.providerId,
        reference: 'by hand',
        withFee: false,
        amountMinor,
      })
      await processCardEvents()
      const { refundedMinor } = await shop.ctx.db.payment.findFirstOrThrow({ where: { id: purchase.paymentId } })
      return [...(await shop.stateOf(purchase)), refundedMinor]
    }
    expect(await refundByHand(1n)).toEqual(['CONFIRMED', 'ASSIGNED', 'SUCCEEDED', 1n])
    expect(await refundByHand(1997n)).toEqual(['CONFIRMED', 'ASSIGNED', 'SUCCEEDED', 1998n])
    expect(await shop.ctx.db.event.count({ where: { type: 'purchase.refunded', key: purchase.id } })).toBe(0)
    expect(await refundByHand(1n)).toEqual(['REFUNDED', 'EXCEPTION', 'REFUNDED', 1999n])
  })

  test('pending at the bank become REFUNDED only when they succeed', async () => {
    const { shop, purchase } = await makePaidPurchase('pm_card_pendingRefund')
    await refundPurchase(shop.ctx, purchase.id)
    await drainJobs('refund-payment')
    expect((await shop.stateOf(purchase))[2]).toBe('REFUNDING')
    moveClock(4_000)
    await processCardEvents()
    expect([(await shop.stateOf(purchase))[0], (await shop.stateOf(purchase))[2]]).toEqual(['REFUNDED', 'REFUNDED'])
  })

  test('returned by the bank make the purchase UNRESOLVED with an alarm, and are retried', async () => {
    const { shop, purchase } = await makePaidPurchase('pm_card_refundFail')
    await refundPurchase(shop.ctx, purchase.id)
    await drainJobs('refund-payment')
    moveClock(4_000)
    await processCardEvents()
    moveClock(7 * 3600_000)
    await reconcileOpenPayments(systemContext('test'))
    expect([(await shop.stateOf(purchase))[0], (await shop.stateOf(purchase))[2]]).toEqual(['UNRESOLVED', 'REFUNDING'])
    expect(
      await shop.ctx.db.alarm.count({ where: { kind: 'refund_stuck', subject: purchase.paymentId, resolvedAt: null } }),
    ).toBe(1)
    await systemClient().sandboxPaymentIntent.update({
      where: { id: purchase.providerId },
      data: { card: 'pm_card_visa' },
    })
    moveClock(7 * 3600_000)
    await reconcileOpenPayments(systemContext('test'))
    expect([(await shop.stateOf(purchase))[0], (await shop.stateOf(purchase))[2]]).toEqual(['REFUNDED', 'REFUNDED'])
    expect((await refundsOf(purchase.providerId)).filter(({ status }) => status === 'succeeded')).toHaveLength(1)
    expect(
      await shop.ctx.db.alarm.count({ where: { kind: 'refund_stuck', subject: purchase.paymentId, resolvedAt: null } }),
    ).toBe(0)
  })

  test('return the platform’s fee too, and omit it when it is zero', async () => {
    const before = env.PLATFORM_FEE_BPS
    env.PLATFORM_FEE_BPS = 250
    onTestFinished(() => void (env.PLATFORM_FEE_BPS = before))
    const withFee: boolean[] = []
    overrideCards(({ refunds }) => ({
      refunds: { ...refunds, create: (key, order) => (withFee.push(order.withFee), refunds.create(key, order)) },
    }))
    const { shop, purchase } = await makePaidPurchase()
    expect(
      (await systemClient().sandboxPaymentIntent.findUniqueOrThrow({ where: { id: purchase.providerId } })).fee,
    ).toBe(49n)
    await refundPurchase(shop.ctx, purchase.id)
    await drainJobs('refund-payment')
    env.PLATFORM_FEE_BPS = 0
    const free = await makePaidPurchase()
    await refundPurchase(free.shop.ctx, free.purchase.id)
    await drainJobs('refund-payment')
    expect(withFee).toEqual([true, false])
  })
})
