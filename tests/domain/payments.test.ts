import fc from 'fast-check'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { POST as receive } from '../../app/webhooks/cards/[adapter]/route.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { inTransaction } from '../../lib/platform/auth/context.ts'
import { CardAccountLost, CardsUnavailable } from '../../lib/ports/cards/cards.ts'
import { moveClock, now, resetClock } from '../../lib/core/clock.ts'
import { env } from '../../lib/core/env.ts'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import { withModelCalls } from '../../lib/db/model-calls.ts'
import { cancelPayment } from '../../lib/selling/payments/cancel-payment.ts'
import { createAtProvider } from '../../lib/selling/payments/create-at-provider.ts'
import { assertChargeable } from '../../lib/selling/payments/open-payment.ts'
import { reconcileEverything, reconcileOpenPayments } from '../../lib/selling/payments/reconcile-payments.ts'
import { refundPayment } from '../../lib/selling/payments/refund-payment.ts'
import { ports } from '../../lib/ports/ports.ts'
import { deauthorizeAccount, enableAccount, restrictAccount } from '../../lib/ports/sandbox-cards/accounts.ts'
import { openSandboxStore } from '../../lib/ports/sandbox-cards/store.ts'
import { eventObject, signatureOf } from '../../lib/ports/sandbox-cards/deliver-events.ts'
import { sandboxKeys } from '../../lib/ports/sandbox-cards/keys.ts'
import { answerDispute, openDispute } from '../../lib/ports/sandbox-cards/disputes.ts'
import { expirePurchases } from '../../lib/selling/purchases/expire-purchases.ts'
import { purchaseMintFailed } from '../../lib/selling/purchases/on-mint-failed.ts'
import { refundPurchase } from '../../lib/selling/purchases/refund-purchase.ts'
import { getPurchaseView } from '../../lib/selling/purchases/get-purchase-view.ts'
import { continuePurchase } from '../../lib/selling/purchases/continue-purchase.ts'
import { callerOf } from '../support/call.ts'
import {
  type CardShop,
  drainJobs,
  makeCardShop,
  overrideCards,
  processCardEvents,
  postToCardWebhook,
} from '../support/card-sales.ts'
import { confirmCardPayment } from '../support/confirm-card-payment.ts'
import { makeOrganization } from '../support/organization.ts'
import { installFakeChain } from '../support/claims.ts'

beforeEach(() => {
  resetClock()
  installFakeChain()
  Object.assign(env, { OPEN_INTENTS_PER_BUYER: 0, OPEN_INTENTS_PER_CLIENT: 0 })
})

const visa = { payment_method: 'pm_card_visa' }

/** Replaces some methods of the built-in provider for the rest of the test. */
describe('a card payment', () => {
  test('returns what the checkout page needs, and the same for the same idempotency key', async () => {
    const { listing, integration, ctx } = await makeCardShop()
    const headers = { 'idempotency-key': newId() }
    const body = { listing_id: listing.id, buyer: { email: 'ada@example.com' } }
    const first = await callerOf().post('/public/v1/purchase-intents', body, headers)
    expect(first.status).toBe(201)
    expect(first.body.data).toEqual({
      account_id: integration.accountId,
      client_secret: expect.stringMatching(/^pi_\w+_secret_\w+$/),
      mode: 'TEST',
      publishable_key: sandboxKeys().publishableKey,
      session_id: first.body.id,
      provider_price: { currency: 'USD', price: '1999' },
    })
    expect((await callerOf().post('/public/v1/purchase-intents', body, headers)).body).toEqual(first.body)
    const payment = await ctx.db.payment.findFirstOrThrow({ where: { intentId: first.body.id } })
    expect(await createAtProvider(ctx, payment.id)).toEqual(first.body.data)
    expect(Buffer.from(payment.clientSecret!).toString('utf8')).not.toContain('secret')
  })

  test('confirms its purchase when its event arrives; a declined one leaves it open', async () => {
    const shop = await makeCardShop()
    const purchase = await shop.buy()
    expect(
      (await confirmCardPayment(purchase.data.client_secret, { payment_method: 'pm_card_chargeDeclined' })).status,
    ).toBe(402)
    await processCardEvents()
    expect(await shop.stateOf(purchase)).toEqual(['PENDING', 'PENDING', 'OPEN'])
    await confirmCardPayment(purchase.data.client_secret, visa)
    await processCardEvents()
    expect(await shop.stateOf(purchase)).toEqual(['CONFIRMED', 'ASSIGNED', 'SUCCEEDED'])
  })

  test('that is paid while its page reads it is shown without what pays', async () => {
    const shop = await makeCardShop()
    const purchase = await shop.buy()
    const db = withModelCalls(shop.ctx.db, async (delegate, model, operation, args) => {
      if (model === 'Payment') {
        await confirmCardPayment(purchase.data.client_secret, visa)
        await processCardEvents()
      }
      return delegate[operation]!(args)
    })
    const view = await getPurchaseView({ ...shop.ctx, db }, purchase.id)
    expect([view.status, view.data]).toEqual(['PENDING', null])
    expect((await getPurchaseView(shop.ctx, purchase.id)).status).toBe('CONFIRMED')
  })

  test('whose event was lost is found by reconciliation after 20 seconds', async () => {
    const shop = await makeCardShop()
    const purchase = await shop.buy()
    await confirmCardPayment(purchase.data.client_secret, visa)
    await reconcileOpenPayments(shop.worker)
    expect(await shop.stateOf(purchase)).toEqual(['PENDING', 'PENDING', 'OPEN'])
    moveClock(21_000)
    await reconcileOpenPayments(shop.worker)
    expect((await shop.stateOf(purchase))[0]).toBe('CONFIRMED')
  })

  test('whose creation was not recorded is created at the provider only once', async () => {
    const shop = await makeCardShop()
    const purchase = await shop.buy()
    await shop.ctx.db.payment.updateMany({
      where: { id: purchase.paymentId },
      data: { state: 'CREATING', providerId: null, clientSecret: null, checkedAt: null },
    })
    moveClock(21_000)
    await reconcileOpenPayments(shop.worker)
    const payment = await shop.ctx.db.payment.findFirstOrThrow({ where: { id: purchase.paymentId } })
    expect([payment.state, payment.providerId]).toEqual(['OPEN', purchase.providerId])
  })

  test('in yen, which has no minor unit, is charged exactly', async () => {
    const shop = await makeCardShop({ currency: 'JPY', price: 1500n })
    const purchase = await shop.buy()
    expect(purchase.data.provider_price).toEqual({ currency: 'JPY', price: '1500' })
    expect((await confirmCardPayment(purchase.data.client_secret, visa)).body).toMatchObject({
      amount_received: 1500,
      currency: 'jpy',
    })
    await processCardEvents()
    expect((await shop.stateOf(purchase))[0]).toBe('CONFIRMED')
  })

  test('below the provider’s minimum, above its maximum or in another currency is refused', () => {
    for (const [total, currency] of [
      [49n, 'USD'],
      [29n, 'GBP'],
      [49n, 'JPY'],
      [100_000_000n, 'EUR'],
      [1999n, 'CHF'],
    ] as const)
      expect(() => assertChargeable(total, currency)).toThrow(expect.objectContaining({ code: 'amount_invalid' }))
    for (const [total, currency] of [
      [50n, 'USD'],
      [30n, 'GBP'],
      [50n, 'JPY'],
      [99_999_999n, 'EUR'],
    ] as const)
      expect(() => assertChargeable(total, currency)).not.toThrow()
  })

  test('that the provider refuses ends the purchase and returns its units', async () => {
    const shop = await makeCardShop({ units: 1n })
    await restrictAccount(openSandboxStore(), shop.integration.accountId!, true)
    const answer = await callerOf().post('/public/v1/purchase-intents', {
      listing_id: shop.listing.id,
      buyer: { email: 'ada@example.com' },
    })
    expect([answer.status, answer.body.code]).toEqual([422, 'card_provider_refused'])
    const listing = await shop.ctx.db.listing.findFirstOrThrow({ where: { id: shop.listing.id } })
    expect([listing.quantityOpen, listing.quantityConfirmed]).toEqual([0n, 0n])
  })

  test('without an answer of the provider is 503, and the units return once it answers', async () => {
    const shop = await makeCardShop({ units: 1n })
    let down = true
    overrideCards(({ payments }) => ({
      payments: {
        ...payments,
        create: (...order) => (down ? Promise.reject(new CardsUnavailable('Down.')) : payments.create(...order)),
      },
    }))
    const answer = await callerOf().post('/public/v1/purchase-intents', {
      listing_id: shop.listing.id,
      buyer: { email: 'ada@example.com' },
    })
    expect([answer.status, answer.body.code]).toEqual([503, 'unavailable'])
    await expirePurchases(systemContext('test'))
    expect((await shop.ctx.db.payment.findFirstOrThrow({ where: { integrationId: shop.integration.id } })).state).toBe(
      'CANCELLING',
    )
    down = false
    moveClock(21_000)
    await reconcileOpenPayments(systemContext('test'))
    expect((await shop.ctx.db.payment.findFirstOrThrow({ where: { integrationId: shop.integration.id } })).state).toBe(
      'CANCELLED',
    )
    expect((await shop.ctx.db.listing.findFirstOrThrow({ where: { id: shop.listing.id } })).quantityOpen).toBe(0n)
  })
})

describe('cancelling a payment', () => {
  test('frees the units only once the provider has acknowledged it', async () => {
    const shop = await makeCardShop({ units: 1n })
    const purchase = await shop.buy()
    let down = true
    overrideCards(({ payments }) => ({
      payments: {
        ...payments,
        cancel: (...which) => (down ? Promise.reject(new CardsUnavailable('Down.')) : payments.cancel(...which)),
      },
    }))
    expect(await cancelPayment(shop.ctx, purchase.paymentId)).toBe('unknown')
    expect(await shop.stateOf(purchase)).toEqual(['PENDING', 'PENDING', 'CANCELLING'])
    expect((await shop.ctx.db.listing.findFirstOrThrow({ where: { id: shop.listing.id } })).quantityOpen).toBe(1n)
    down = false
    expect(await cancelPayment(shop.ctx, purchase.paymentId)).toBe('cancelled')
    expect(await shop.stateOf(purchase)).toEqual(['CANCELLED', 'PENDING', 'CANCELLED'])
    expect((await shop.ctx.db.listing.findFirstOrThrow({ where: { id: shop.listing.id } })).quantityOpen).toBe(0n)
  })

  test('a purchase that was paid first can’t be cancelled: 409', async () => {
    const shop = await makeCardShop()
    const purchase = await shop.buy()
    await confirmCardPayment(purchase.data.client_secret, visa)
    const answer = await callerOf().delete(`/public/v1/purchase-intents/${purchase.id}?secret=${purchase.secret}`)
    expect([answer.status, answer.body.code]).toEqual([409, 'purchase_confirmed'])
    expect((await shop.stateOf(purchase))[0]).toBe('CONFIRMED')
  })

  test('a payment whose creation was not recorded is cancelled at the provider too', async () => {
    const shop = await makeCardShop()
    const purchase = await shop.buy()
    await shop.ctx.db.payment.updateMany({
      where: { id: purchase.paymentId },
      data: { state: 'CREATING', providerId: null, clientSecret: null },
    })
    expect(await cancelPayment(shop.ctx, purchase.paymentId)).toBe('cancelled')
    expect((await confirmCardPayment(purchase.data.client_secret, visa)).body.error.payment_intent.status).toBe(
      'canceled',
    )
  })

  test('payment, expiry and cancellation at once, 16 times: each purchase is either paid or ended', async () => {
    const shop = await makeCardShop({ units: 16n })
    const purchases = []
    for (let at = 0; at < 16; at++) purchases.push(await shop.buy())
    moveClock(31 * 60_000)
    await Promise.all([
      ...purchases.map(({ data }) => confirmCardPayment(data.client_secret, visa)),
      ...purchases.map(({ id, secret }) => callerOf().delete(`/public/v1/purchase-intents/${id}?secret=${secret}`)),
      expirePurchases(systemContext('test')),
    ])
    await processCardEvents()
    moveClock(21_000)
    await reconcileOpenPayments(systemContext('test'))
    await processCardEvents()
    for (const purchase of purchases) {
      const state = (await shop.stateOf(purchase)).join(' ')
      const { status } = await systemClient().sandboxPaymentIntent.findUniqueOrThrow({
        where: { id: purchase.providerId },
      })
      expect([`succeeded CONFIRMED ASSIGNED SUCCEEDED`, `canceled EXPIRED PENDING CANCELLED`]).toContain(
        `${status} ${state}`,
      )
    }
    const { quantityOpen, quantityConfirmed } = await shop.ctx.db.listing.findFirstOrThrow({
      where: { id: shop.listing.id },
    })
    const paid = await shop.ctx.db.payment.count({ where: { state: 'SUCCEEDED', integrationId: shop.integration.id } })
    expect([quantityOpen, quantityConfirmed]).toEqual([0n, BigInt(paid)])
  })
})

describe('card events', () => {
  const eventOf = async (providerId: string) => {
    const events = await systemClient().sandboxEvent.findMany({ where: { type: 'payment_intent.succeeded' } })
    return eventObject(events.find(({ payload }) => (payload as { id: string }).id === providerId)!)
  }
  const send = (
    event: object,
    { at = now(), adapter = 'sandbox', secret = sandboxKeys().webhookSecret, signed = event } = {},
  ) => {
    const body = JSON.stringify(event)
    return receive(
      new Request(`http://localhost:3000/webhooks/cards/${adapter}`, {
        method: 'POST',
        body,
        headers: { 'stripe-signature': signatureOf(JSON.stringify(signed), at, secret) },
      }),
      { params: Promise.resolve({ adapter }) },
    )
  }
  const payWithoutEvent = async () => {
    const shop = await makeCardShop()
    const purchase = await shop.buy()
    await confirmCardPayment(purchase.data.client_secret, visa)
    return { shop, purchase, event: await eventOf(purchase.providerId) }
  }

  test('delivered ten times at once count once', async () => {
    const { shop, purchase, event } = await payWithoutEvent()
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(event)))
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
    expect(await systemClient().cardEvent.count({ where: { id: event.id } })).toBe(1)
    await drainJobs('process-card-event', 'settle-purchase')
    await processCardEvents()
    expect((await shop.stateOf(purchase))[0]).toBe('CONFIRMED')
    expect(await shop.ctx.db.event.count({ where: { type: 'purchase.confirmed', key: purchase.id } })).toBe(1)
  })

  test('delivered out of order lead to the same state', async () => {
    const shop = await makeCardShop()
    const purchase = await shop.buy()
    await confirmCardPayment(purchase.data.client_secret, { payment_method: 'pm_card_chargeDeclined' })
    await confirmCardPayment(purchase.data.client_secret, visa)
    const events = (
      await systemClient().sandboxEvent.findMany({
        where: { accountId: shop.integration.accountId! },
        orderBy: { createdAt: 'desc' },
      })
    ).map(eventObject)
    for (const event of events.reverse()) expect((await send(event)).status).toBe(200)
    await drainJobs('process-card-event', 'settle-purchase')
    expect(await shop.stateOf(purchase)).toEqual(['CONFIRMED', 'ASSIGNED', 'SUCCEEDED'])
  })

  test('too old, from the future, wrongly signed, unsigned or for an unknown adapter are refused and not stored', async () => {
    const { shop, purchase, event } = await payWithoutEvent()
    const minutes = (count: number) => new Date(now().getTime() + count * 60_000)
    expect((await send(event, { at: minutes(-6) })).status).toBe(400)
    expect((await send(event, { at: minutes(6) })).status).toBe(400)
    expect((await send(event, { adapter: 'nobody' })).status).toBe(404)
    expect((await send(event, { secret: `${sandboxKeys().webhookSecret}x` })).status).toBe(400)
    expect((await send(event, { signed: { ...event, id: 'evt_other' } })).status).toBe(400)
    const unsigned = await receive(
      new Request('http://localhost:3000/webhooks/cards/sandbox', { method: 'POST', body: JSON.stringify(event) }),
      { params: Promise.resolve({ adapter: 'sandbox' }) },
    )
    expect(unsigned.status).toBe(400)
    expect(await systemClient().cardEvent.count({ where: { id: event.id } })).toBe(0)
    expect((await shop.stateOf(purchase))[0]).toBe('PENDING')
  })

  test('of another account, of live mode, or about an unknown payment change nothing', async () => {
    const { shop, purchase, event } = await payWithoutEvent()
    const other = await makeCardShop()
    const foreign = { ...event, id: `evt_${newId()}`, account: other.integration.accountId }
    const live = { ...event, id: `evt_${newId()}`, livemode: true }
    const unknownAccount = { ...event, id: `evt_${newId()}`, account: 'acct_unknown' }
    const unknownPayment = {
      ...event,
      id: `evt_${newId()}`,
      data: { object: { id: 'pi_unknown', object: 'payment_intent' } },
    }
    for (const forged of [foreign, live, unknownAccount, unknownPayment]) {
      await send(forged)
      await drainJobs('process-card-event')
      const stored = await systemClient().cardEvent.findUniqueOrThrow({ where: { id: forged.id } })
      expect([stored.processedAt !== null, stored.failure]).toEqual([true, expect.any(String)])
    }
    expect((await shop.stateOf(purchase))[0]).toBe('PENDING')
  })

  test.each([
    ['less than was requested', { amountMinor: 2000n }],
    ['more than was requested', { amountMinor: 1998n }],
    ['the amount in another currency', { currency: 'EUR' }],
  ])('about %s confirm nothing and raise an alarm', async (_, ordered) => {
    const { shop, purchase, event } = await payWithoutEvent()
    await shop.ctx.db.payment.updateMany({ where: { id: purchase.paymentId }, data: ordered })
    await send(event)
    await drainJobs('process-card-event')
    expect((await shop.stateOf(purchase))[0]).toBe('PENDING')
    const openAlarms = () =>
      shop.ctx.db.alarm.count({ where: { kind: 'payment_mismatch', subject: purchase.paymentId, resolvedAt: null } })
    expect(await openAlarms()).toBe(1)
    await shop.ctx.db.payment.updateMany({
      where: { id: purchase.paymentId },
      data: { amountMinor: 1999n, currency: 'USD' },
    })
    moveClock(21_000)
    await reconcileOpenPayments(shop.worker)
    expect([(await shop.stateOf(purchase))[0], await openAlarms()]).toEqual(['CONFIRMED', 0])
  })

  test('that arrive before the provider’s answer was recorded find their payment by its reference', async () => {
    const { shop, purchase, event } = await payWithoutEvent()
    await shop.ctx.db.payment.updateMany({
      where: { id: purchase.paymentId },
      data: { state: 'CREATING', providerId: null, clientSecret: null },
    })
    await send(event)
    await drainJobs('process-card-event', 'settle-purchase')
    expect(await shop.stateOf(purchase)).toEqual(['CONFIRMED', 'ASSIGNED', 'SUCCEEDED'])
  })

  test('stored but not processed are processed by the reconciliation', async () => {
    const { shop, purchase, event } = await payWithoutEvent()
    await send(event)
    await systemClient().$executeRawUnsafe(`DELETE FROM pgboss.job WHERE name = 'process-card-event'`)
    moveClock(21_000)
    await reconcileOpenPayments(systemContext('test'))
    expect((await shop.stateOf(purchase))[0]).toBe('CONFIRMED')
    expect((await systemClient().cardEvent.findUniqueOrThrow({ where: { id: event.id } })).processedAt).not.toBeNull()
  })

  test('are sent again by the built-in provider until they are accepted', async () => {
    const { shop, purchase } = await payWithoutEvent()
    await processCardEvents(async () => ({ ok: false }))
    expect((await shop.stateOf(purchase))[0]).toBe('PENDING')
    moveClock(2_000)
    await processCardEvents(postToCardWebhook)
    expect((await shop.stateOf(purchase))[0]).toBe('CONFIRMED')
  })
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

describe('disputes and disconnected accounts', () => {
  test('a dispute makes the purchase UNRESOLVED and stops its delivery, without a refund', async () => {
    const shop = await makeCardShop()
    const purchase = await shop.buy()
    await confirmCardPayment(purchase.data.client_secret, { payment_method: 'pm_card_createDispute' })
    await processCardEvents()
    expect((await shop.stateOf(purchase))[0]).toBe('CONFIRMED')
    moveClock(6_000)
    await processCardEvents()
    expect([(await shop.stateOf(purchase))[0], (await shop.stateOf(purchase))[2]]).toEqual(['UNRESOLVED', 'DISPUTED'])
    await drainJobs('refund-payment')
    expect(await systemClient().sandboxRefund.count({ where: { paymentIntentId: purchase.providerId } })).toBe(0)
    expect(await shop.ctx.db.emailClaim.count({ where: { purchaseIntentId: purchase.id, state: 'OPEN' } })).toBe(0)
    const { failure } = await shop.ctx.db.purchaseIntent.findFirstOrThrow({ where: { id: purchase.id } })
    expect(failure).toMatch(/dispute/i)
  })

  const endDispute = (shop: CardShop, { providerId }: { providerId: string }, evidence: string) =>
    answerDispute(
      openSandboxStore(),
      shop.integration.accountId!,
      providerId.replace(/^pi_/, 'dp_'),
      new URLSearchParams({ 'evidence[uncategorized_text]': evidence }),
    )

  test('a won dispute continues the purchase: its stopped delivery is sent', async () => {
    const shop = await makeCardShop()
    const purchase = await shop.buy()
    await confirmCardPayment(purchase.data.client_secret, visa)
    await processCardEvents()
    await openDispute(openSandboxStore(), purchase.providerId)
    await processCardEvents()
    expect(await shop.stateOf(purchase)).toEqual(['UNRESOLVED', 'EXCEPTION', 'DISPUTED'])
    await endDispute(shop, purchase, 'winning_evidence')
    await processCardEvents()
    expect(await shop.stateOf(purchase)).toEqual(['CONFIRMED', 'ASSIGNED', 'SUCCEEDED'])
    const { failure } = await shop.ctx.db.purchaseIntent.findFirstOrThrow({ where: { id: purchase.id } })
    expect(failure).toBeNull()
    expect(await shop.ctx.db.emailClaim.count({ where: { purchaseIntentId: purchase.id, state: 'OPEN' } })).toBe(1)
    expect(
      await shop.ctx.db.alarm.count({
        where: { kind: { in: ['payment_disputed', 'purchase_unresolved'] }, resolvedAt: null },
      }),
    ).toBe(0)
    expect(await shop.ctx.db.outboxMessage.count({ where: { templateType: 'RECEIPT' } })).toBe(1)
    await continuePurchase(shop.ctx, purchase.id)
    expect(await shop.ctx.db.emailClaim.count({ where: { purchaseIntentId: purchase.id } })).toBe(2)
  })

  test('a dispute won after the delivery leaves the purchase CONFIRMED and COMPLETED', async () => {
    const shop = await makeCardShop()
    const purchase = await shop.buy()
    await confirmCardPayment(purchase.data.client_secret, visa)
    await processCardEvents()
    await shop.ctx.db.emailClaim.updateMany({
      where: { purchaseIntentId: purchase.id },
      data: { state: 'CLAIMED', claimedAt: new Date() },
    })
    await shop.ctx.db.purchaseIntent.updateMany({
      where: { id: purchase.id },
      data: { fulfillmentStatus: 'COMPLETED' },
    })
    await openDispute(openSandboxStore(), purchase.providerId)
    await processCardEvents()
    await endDispute(shop, purchase, 'winning_evidence')
    await processCardEvents()
    expect(await shop.stateOf(purchase)).toEqual(['CONFIRMED', 'COMPLETED', 'SUCCEEDED'])
  })

  test('a dispute won when the units were minted elsewhere ends in a refund', async () => {
    const shop = await makeCardShop()
    const purchase = await shop.buy()
    await confirmCardPayment(purchase.data.client_secret, visa)
    await processCardEvents()
    await openDispute(openSandboxStore(), purchase.providerId)
    await processCardEvents()
    await shop.ctx.db.hold.updateMany({
      where: { holderType: 'PURCHASE', holderId: purchase.id },
      data: { state: 'EXCEPTION' },
    })
    await endDispute(shop, purchase, 'winning_evidence')
    await processCardEvents()
    await drainJobs('refund-payment')
    await processCardEvents()
    expect(await shop.stateOf(purchase)).toEqual(['REFUNDED', 'EXCEPTION', 'REFUNDED'])
  })

  test('a lost dispute stays DISPUTED, and its reason is not replaced by later failures', async () => {
    const shop = await makeCardShop()
    const purchase = await shop.buy()
    await confirmCardPayment(purchase.data.client_secret, visa)
    await processCardEvents()
    await openDispute(openSandboxStore(), purchase.providerId)
    await processCardEvents()
    await endDispute(shop, purchase, 'losing_evidence')
    await processCardEvents()
    await inTransaction(shop.ctx, (tx) =>
      purchaseMintFailed(tx, { mintId: newId(), intentId: purchase.id }, 'The mint was cancelled.'),
    )
    await deauthorizeAccount(openSandboxStore(), shop.integration.accountId!)
    await processCardEvents()
    expect(await shop.stateOf(purchase)).toEqual(['UNRESOLVED', 'EXCEPTION', 'DISPUTED'])
    const { failure } = await shop.ctx.db.purchaseIntent.findFirstOrThrow({ where: { id: purchase.id } })
    expect(failure).toBe('The buyer disputes the payment.')
  })

  test('a dispute whose event was lost is found by the nightly reconciliation', async () => {
    const shop = await makeCardShop()
    const purchase = await shop.buy()
    await confirmCardPayment(purchase.data.client_secret, visa)
    await processCardEvents()
    await openDispute(openSandboxStore(), purchase.providerId)
    moveClock(25 * 3600_000)
    await reconcileEverything(systemContext('test'))
    expect((await shop.stateOf(purchase))[2]).toBe('DISPUTED')
  })

  test.each([
    { age: 5, checked: 2, state: 'SUCCEEDED', asked: true },
    { age: 20, checked: 2, state: 'SUCCEEDED', asked: false },
    { age: 20, checked: 8, state: 'SUCCEEDED', asked: true },
    { age: 20, checked: 2, state: 'DISPUTED', asked: true },
    { age: 200, checked: 8, state: 'SUCCEEDED', asked: false },
  ] as const)(
    'a payment of $age days that is $state and was checked $checked days ago is asked about: $asked',
    async ({ age, checked, state, asked }) => {
      const shop = await makeCardShop()
      const purchase = await shop.buy()
      await confirmCardPayment(purchase.data.client_secret, visa)
      await processCardEvents()
      const ago = (days: number) => new Date(shop.ctx.now().getTime() - days * 24 * 3600_000)
      const where = { intentId: purchase.id }
      const data = { state, createdAt: ago(age), checkedAt: ago(checked) }
      await shop.ctx.db.payment.updateMany({ where, data })
      await reconcileEverything(systemContext('test'))
      const { checkedAt } = await shop.ctx.db.payment.findFirstOrThrow({ where })
      expect(checkedAt! > data.checkedAt).toBe(asked)
    },
  )

  test('a disconnected account: purchases that are undelivered, or may have been paid, become UNRESOLVED', async () => {
    const shop = await makeCardShop()
    const [open, bought] = [await shop.buy(), await shop.buy()]
    await confirmCardPayment(bought.data.client_secret, visa)
    await processCardEvents()
    await deauthorizeAccount(openSandboxStore(), shop.integration.accountId!)
    await processCardEvents()
    expect((await shop.ctx.db.paymentIntegration.findFirstOrThrow({ where: { id: shop.integration.id } })).status).toBe(
      'DISCONNECTED',
    )
    expect((await shop.stateOf(bought))[0]).toBe('UNRESOLVED')
    moveClock(31 * 60_000)
    await expirePurchases(systemContext('test'))
    expect(await shop.stateOf(open)).toEqual(['UNRESOLVED', 'PENDING', 'CANCELLING'])
    await expect(ports().cards.known[0]!.accounts.read(shop.integration.accountId!)).rejects.toThrow(CardAccountLost)
  })

  const outcomesOfLateNews = ['by its event', 'by the first refused call'] as const
  test.each(outcomesOfLateNews)(
    'a card paid just before the account was disconnected, noticed %s: UNRESOLVED, in an alarm, never resold',
    async (how) => {
      const shop = await makeCardShop({ units: 1n })
      const purchase = await shop.buy()
      await confirmCardPayment(purchase.data.client_secret, visa)
      await deauthorizeAccount(openSandboxStore(), shop.integration.accountId!)
      if (how === 'by its event') await processCardEvents()
      for (let at = 0; at < 3; at++) {
        moveClock(31 * 60_000)
        await expirePurchases(systemContext('test'))
        await reconcileOpenPayments(systemContext('test'))
        await reconcileEverything(systemContext('test'))
      }
      expect(await shop.stateOf(purchase)).toEqual(['UNRESOLVED', 'PENDING', 'CANCELLING'])
      const alarm = await shop.ctx.db.alarm.findFirstOrThrow({
        where: { kind: 'purchase_unresolved', subject: purchase.id, resolvedAt: null },
      })
      expect(alarm.detail).toContain(purchase.id)
      expect(alarm.detail).toContain(purchase.providerId)
      const listing = await shop.ctx.db.listing.findFirstOrThrow({ where: { id: shop.listing.id } })
      expect([listing.quantityListed, listing.quantityOpen]).toEqual([1n, 1n])
      await expect(shop.buy()).rejects.toThrow('provider_not_configured')
    },
  )

  test.each([
    { paid: true, ends: ['CONFIRMED', 'ASSIGNED', 'SUCCEEDED'] },
    { paid: false, ends: ['EXPIRED', 'PENDING', 'CANCELLED'] },
  ])('an account that answers again decides a payment that was unknown, paid: $paid', async ({ paid, ends }) => {
    const shop = await makeCardShop({ units: 1n })
    const purchase = await shop.buy()
    if (paid) await confirmCardPayment(purchase.data.client_secret, visa)
    const lost = () => Promise.reject(new CardAccountLost('The account is gone.'))
    const answer = overrideCards(({ payments }) => ({ payments: { ...payments, read: lost, cancel: lost } }))
    moveClock(31 * 60_000)
    await expirePurchases(systemContext('test'))
    expect((await shop.stateOf(purchase))[0]).toBe('UNRESOLVED')
    answer()
    moveClock(25 * 3600_000)
    await reconcileEverything(systemContext('test'))
    await drainJobs('settle-purchase')
    expect(await shop.stateOf(purchase)).toEqual(ends)
    expect(await shop.ctx.db.alarm.count({ where: { subject: purchase.id, resolvedAt: null } })).toBe(0)
    const listing = await shop.ctx.db.listing.findFirstOrThrow({ where: { id: shop.listing.id } })
    expect([listing.quantityOpen, listing.quantityConfirmed]).toEqual([0n, paid ? 1n : 0n])
  })
})

describe('payment integrations', () => {
  const onboard = async (key: string) => (await callerOf(key).post('/v1/payment-integrations', { mode: 'TEST' })).body

  test('start PENDING with an onboarding page, become ACTIVE and RESTRICTED, and can be deleted', async () => {
    const { key } = await makeOrganization()
    const api = callerOf(key)
    const first = await onboard(key)
    expect(first).toMatchObject({
      provider: 'CARD_PROVIDER',
      adapter: 'SANDBOX',
      mode: 'TEST',
      status: 'PENDING',
      charges_enabled: false,
      onboarding_url: expect.stringContaining('/sandbox/cards/onboarding/'),
    })
    expect((await onboard(key)).id).toBe(first.id)
    const { submitOnboarding } = await import('../../lib/ports/sandbox-cards/accounts.ts')
    await submitOnboarding(
      openSandboxStore(),
      first.account_id,
      new URL(first.onboarding_url).searchParams.get('token')!,
    )
    expect((await api.post(`/v1/payment-integrations/${first.id}/refresh`)).body).toMatchObject({ status: 'PENDING' })
    moveClock(5_000)
    await processCardEvents()
    expect((await api.get('/v1/payment-integrations')).body.results).toMatchObject([
      { id: first.id, status: 'ACTIVE', charges_enabled: true, requirements: [] },
    ])
    expect((await api.post('/v1/payment-integrations', {})).body.code).toBe('payment_integration_exists')
    await restrictAccount(openSandboxStore(), first.account_id, true)
    await processCardEvents()
    expect((await api.post(`/v1/payment-integrations/${first.id}/refresh`)).body).toMatchObject({
      status: 'RESTRICTED',
      onboarding_url: expect.any(String),
    })
    await restrictAccount(openSandboxStore(), first.account_id, false)
    expect((await api.post(`/v1/payment-integrations/${first.id}/refresh`)).body).toMatchObject({
      status: 'ACTIVE',
      onboarding_url: null,
    })
    expect((await api.delete(`/v1/payment-integrations/${first.id}`)).status).toBe(204)
    expect((await api.delete(`/v1/payment-integrations/${first.id}`)).status).toBe(404)
    expect((await onboard(key)).id).not.toBe(first.id)
  })

  test('the alarm about a lost account ends when another account of its mode can take payments', async () => {
    const shop = await makeCardShop()
    const openAlarms = () => shop.ctx.db.alarm.count({ where: { kind: 'card_account_lost', resolvedAt: null } })
    await deauthorizeAccount(openSandboxStore(), shop.integration.accountId!)
    await processCardEvents()
    expect(await openAlarms()).toBe(1)
    const next = await onboard(shop.organization.key)
    expect(await openAlarms()).toBe(1)
    await enableAccount(openSandboxStore(), next.account_id)
    await callerOf(shop.organization.key).post(`/v1/payment-integrations/${next.id}/refresh`)
    expect(await openAlarms()).toBe(0)
  })

  test('LIVE is refused to a TEST key, and without a configured LIVE provider', async () => {
    const { key, ctx } = await makeOrganization()
    expect((await callerOf(key).post('/v1/payment-integrations', { mode: 'LIVE' })).body.code).toBe('mode_mismatch')
    const { createIntegration } = await import('../../lib/selling/payments/create-integration.ts')
    await expect(createIntegration(ctx, { mode: 'LIVE' })).rejects.toMatchObject({ code: 'provider_not_configured' })
  })

  test('an account that waits in another mode isn’t taken for one of this mode', async () => {
    const { key, ctx, id: organizationId } = await makeOrganization()
    await ctx.db.paymentIntegration.create({
      data: { id: newId(), organizationId, mode: 'LIVE', adapter: 'STRIPE', requirements: [] },
    })
    expect(await onboard(key)).toMatchObject({ mode: 'TEST', adapter: 'SANDBOX', status: 'PENDING' })
  })

  test('the database refuses the built-in provider in LIVE, and TEST payments on LIVE accounts', async () => {
    const shop = await makeCardShop()
    await expect(
      shop.ctx.db.paymentIntegration.create({
        data: { id: newId(), organizationId: shop.organization.id, mode: 'LIVE', adapter: 'SANDBOX', requirements: [] },
      }),
    ).rejects.toThrow()
    const live = await shop.ctx.db.paymentIntegration.create({
      data: {
        id: newId(),
        organizationId: shop.organization.id,
        mode: 'LIVE',
        adapter: 'STRIPE',
        accountId: `acct_${newId()}`,
        requirements: [],
      },
    })
    const purchase = await shop.buy()
    await expect(
      shop.ctx.db.payment.updateMany({ where: { id: purchase.paymentId }, data: { integrationId: live.id } }),
    ).rejects.toThrow()
  })

  test('can’t be disconnected while a payment is open', async () => {
    const shop = await makeCardShop()
    await shop.buy()
    expect(
      (await callerOf(shop.organization.key).delete(`/v1/payment-integrations/${shop.integration.id}`)).body.code,
    ).toBe('payment_integration_in_use')
  })

  test('an account whose opening was not recorded is reused, not opened again', async () => {
    const { key } = await makeOrganization()
    const first = await onboard(key)
    await systemClient().paymentIntegration.update({ where: { id: first.id }, data: { accountId: null } })
    expect(await onboard(key)).toMatchObject({ id: first.id, account_id: first.account_id })
  })
})

describe('money', () => {
  test('the fee is the rounded-down share of the total, for any total and rate', async () => {
    const { feeOf } = await import('../../lib/core/money.ts')
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 99_999_999n }), fc.integer({ min: 0, max: 10_000 }), (total, bps) => {
        const fee = feeOf(total, bps)
        return (
          fee >= 0n &&
          fee <= total &&
          fee * 10_000n <= total * BigInt(bps) &&
          (fee + 1n) * 10_000n > total * BigInt(bps)
        )
      }),
    )
  })

  test('a formatted amount has the currency’s decimals and all its digits', async () => {
    const { CURRENCIES, majorOf } = await import('../../lib/core/money.ts')
    const codes = Object.keys(CURRENCIES) as (keyof typeof CURRENCIES)[]
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 99_999_999n }), fc.constantFrom(...codes), (amount, currency) => {
        const text = majorOf(amount, currency)
        const digits = text.split('.')[1]?.length ?? 0
        return digits === CURRENCIES[currency].decimals && BigInt(text.replace('.', '')) === amount
      }),
    )
  })
})
