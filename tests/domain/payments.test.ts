import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { CardsUnavailable } from '../../lib/ports/cards/cards.ts'
import { moveClock, resetClock } from '../../lib/core/clock.ts'
import { env } from '../../lib/core/env.ts'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import { withModelCalls } from '../../lib/db/model-calls.ts'
import { cancelPayment } from '../../lib/selling/payments/cancel-payment.ts'
import { createAtProvider } from '../../lib/selling/payments/create-at-provider.ts'
import { assertChargeable } from '../../lib/selling/payments/open-payment.ts'
import { reconcileOpenPayments } from '../../lib/selling/payments/reconcile-payments.ts'
import { restrictAccount } from '../../lib/ports/sandbox-cards/accounts.ts'
import { openSandboxStore } from '../../lib/ports/sandbox-cards/store.ts'
import { sandboxKeys } from '../../lib/ports/sandbox-cards/keys.ts'
import { expirePurchases } from '../../lib/selling/purchases/expire-purchases.ts'
import { getPurchaseView } from '../../lib/selling/purchases/get-purchase-view.ts'
import { callerOf } from '../support/call.ts'
import { makeCardShop, overrideCards, processCardEvents } from '../support/card-sales.ts'
import { confirmCardPayment } from '../support/confirm-card-payment.ts'
import { installFakeChain } from '../support/claims.ts'

beforeEach(() => {
  resetClock()
  installFakeChain()
  Object.assign(env, { OPEN_INTENTS_PER_BUYER: 0, OPEN_INTENTS_PER_CLIENT: 0 })
})

const visa = { payment_method: 'pm_card_visa' }

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
