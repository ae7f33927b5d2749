import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  CardAccountLost,
  CardEventRefused,
  CardRefused,
  type Cards,
  CardsUnavailable,
} from '../../lib/ports/cards/cards.ts'
import { sandboxCards } from '../../lib/ports/cards/sandbox.ts'
import { stripeCards } from '../../lib/ports/cards/stripe.ts'
import { moveClock, resetClock, now } from '../../lib/core/clock.ts'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import {
  deauthorizeAccount,
  findOnboarding,
  restrictAccount,
  submitOnboarding,
} from '../../lib/ports/sandbox-cards/accounts.ts'
import { openSandboxStore } from '../../lib/ports/sandbox-cards/store.ts'
import { runSandboxCards, signatureOf } from '../../lib/ports/sandbox-cards/deliver-events.ts'
import { sandboxKeys } from '../../lib/ports/sandbox-cards/keys.ts'
import { answerDispute, openDispute } from '../../lib/ports/sandbox-cards/disputes.ts'
import { authenticateIntent } from '../../lib/ports/sandbox-cards/payment-intents.ts'
import { handleSandboxRequest } from '../../lib/ports/sandbox-cards/provider.ts'
import { confirmCardPayment } from '../support/confirm-card-payment.ts'
import { schemaViolationOf, type StripeServer, startStripeServer } from '../support/stripe-server.ts'

let server: StripeServer
const adapters: Partial<Record<'STRIPE' | 'SANDBOX', Cards>> = {}

beforeAll(async () => {
  server = await startStripeServer()
  const keys = sandboxKeys()
  adapters.SANDBOX = sandboxCards({ keys, handle: (request) => handleSandboxRequest(request) })
  adapters.STRIPE = stripeCards({
    secretKey: keys.secretKey,
    publishableKey: keys.publishableKey,
    webhookSecrets: ['whsec_new', keys.webhookSecret],
    baseUrl: server.url,
  })
})
afterAll(() => server.close())
beforeEach(() => resetClock())

const makeOrder = (accountId: string, more: Partial<Parameters<Cards['payments']['create']>[1]> = {}) => ({
  accountId,
  amountMinor: 1999n,
  feeMinor: 100n,
  currency: 'USD' as const,
  reference: newId(),
  metadata: {},
  description: 'Purchase',
  ...more,
})

/**
 * Both adapters pass the same tests. The Stripe adapter talks over HTTP to a server that checks requests and answers
 * against Stripe's description.
 */
describe.each(['SANDBOX', 'STRIPE'] as const)('card adapter %s', (adapter) => {
  const cards = () => adapters[adapter]!

  async function openAccount(): Promise<string> {
    const account = await cards().accounts.open(newId(), { name: 'Gallery', reference: newId() })
    const url = new URL(
      await cards().accounts.onboardingUrl(account.id, {
        returnUrl: 'http://localhost:3000/back',
        refreshUrl: 'http://localhost:3000/again',
      }),
    )
    await submitOnboarding(openSandboxStore(), account.id, url.searchParams.get('token')!)
    moveClock(5_000)
    return account.id
  }

  test('one account per idempotency key, which takes payments only once it is verified', async () => {
    const key = newId()
    const first = await cards().accounts.open(key, { name: 'Gallery', reference: key })
    const again = await cards().accounts.open(key, { name: 'Gallery', reference: key })
    expect(again.id).toBe(first.id)
    expect(first).toMatchObject({ chargesEnabled: false, detailsSubmitted: false })
    expect(first.requirements.length).toBeGreaterThan(0)
    await expect(cards().payments.create(newId(), makeOrder(first.id))).rejects.toThrow(CardRefused)

    const url = new URL(
      await cards().accounts.onboardingUrl(first.id, {
        returnUrl: 'http://localhost:3000/back',
        refreshUrl: 'http://localhost:3000/again',
      }),
    )
    expect(await findOnboarding(openSandboxStore(), first.id, 'wrong')).toBeNull()
    expect(await submitOnboarding(openSandboxStore(), first.id, url.searchParams.get('token')!)).toMatchObject({
      state: 'VERIFYING',
      returnUrl: 'http://localhost:3000/back',
    })
    expect(await cards().accounts.read(first.id)).toMatchObject({ chargesEnabled: false, detailsSubmitted: true })
    moveClock(5_000)
    expect(await cards().accounts.read(first.id)).toMatchObject({ chargesEnabled: true, requirements: [] })
  })

  test('one payment per idempotency key; the same key with another amount is refused', async () => {
    const account = await openAccount()
    const key = newId()
    const wanted = makeOrder(account)
    const first = await cards().payments.create(key, wanted)
    const again = await cards().payments.create(key, wanted)
    expect(again).toEqual(first)
    expect(first).toMatchObject({
      status: 'open',
      amountMinor: 1999n,
      currency: 'USD',
      livemode: false,
      refundedMinor: 0n,
      disputed: false,
      reference: wanted.reference,
      failure: null,
    })
    await expect(cards().payments.create(key, { ...wanted, amountMinor: 2000n })).rejects.toThrow(CardRefused)
    await expect(
      cards().payments.create(newId(), makeOrder(account, { amountMinor: 49n, feeMinor: 0n })),
    ).rejects.toMatchObject({ code: 'amount_too_small' })
  })

  test.each([
    ['pm_card_chargeDeclined', 'card_declined', 'generic_decline'],
    ['pm_card_chargeDeclinedInsufficientFunds', 'card_declined', 'insufficient_funds'],
    ['pm_card_chargeDeclinedExpiredCard', 'expired_card', 'expired_card'],
    ['pm_card_chargeDeclinedIncorrectCvc', 'incorrect_cvc', 'incorrect_cvc'],
    ['pm_card_chargeDeclinedProcessingError', 'processing_error', 'processing_error'],
  ])('%s is declined in Stripe’s shape, then another card succeeds', async (name, code, declineCode) => {
    const account = await openAccount()
    const payment = await cards().payments.create(newId(), makeOrder(account))
    const declined = await confirmCardPayment(payment.clientSecret, { payment_method: name })
    expect(declined.status).toBe(402)
    expect(declined.body.error).toMatchObject({
      type: 'card_error',
      code,
      decline_code: declineCode,
      payment_intent: { id: payment.id, status: 'requires_payment_method' },
    })
    expect(await cards().payments.read(account, payment.id)).toMatchObject({
      status: 'open',
      failure: declined.body.error.message,
    })
    expect((await confirmCardPayment(payment.clientSecret, { payment_method: 'pm_card_visa' })).body.status).toBe(
      'succeeded',
    )
    expect(await cards().payments.read(account, payment.id)).toMatchObject({ status: 'succeeded', failure: null })
  })

  test('all payments since a time are listed, newest first, over as many pages as there are', async () => {
    const accountId = await openAccount()
    const before = await cards().payments.create(newId(), makeOrder(accountId))
    moveClock(10_000)
    const since = now()
    const reference = newId()
    const first = await cards().payments.create(
      newId(),
      makeOrder(accountId, { reference, metadata: { listing: 'the listing' } }),
    )
    await systemClient().sandboxPaymentIntent.createMany({
      data: Array.from({ length: 250 }, (_, at) => ({
        id: `pi_${newId().replaceAll('-', '')}`,
        accountId,
        clientSecret: newId(),
        requestKey: newId(),
        amount: BigInt(100 + at),
        currency: 'usd',
        status: 'requires_payment_method',
        metadata: {},
        // Some were created in the same second.
        createdAt: new Date(since.getTime() + 1000 * Math.floor(at / 3)),
      })),
    })
    const pages = await Array.fromAsync(cards().payments.list(accountId, { since }))
    expect(pages.map(({ length }) => length)).toEqual([100, 100, 51])
    const listed = pages.flat()
    expect(new Set(listed.map(({ id }) => id)).size).toBe(251)
    expect(listed.map(({ createdAt }) => createdAt.getTime())).toEqual(
      listed.map(({ createdAt }) => createdAt.getTime()).toSorted((a, b) => b - a),
    )
    expect(listed.find(({ id }) => id === first.id)).toMatchObject({
      reference,
      amountMinor: 1999n,
      feeMinor: 100n,
      metadata: { reference, listing: 'the listing' },
    })
    expect(listed.map(({ id }) => id)).not.toContain(before.id)
    expect(await cards().payments.find(accountId, { reference, since })).toMatchObject({
      id: first.id,
      clientSecret: first.clientSecret,
    })
    expect(await cards().payments.find(accountId, { reference: newId(), since })).toBeNull()
  })

  test('3-D Secure: a successful authentication pays, a failed one leaves the payment open', async () => {
    const account = await openAccount()
    const payment = await cards().payments.create(newId(), makeOrder(account))
    const card = {
      'payment_method_data[type]': 'card',
      'payment_method_data[card][number]': '4000 0025 0000 3155',
      'payment_method_data[card][exp_month]': '12',
      'payment_method_data[card][exp_year]': '34',
      'payment_method_data[card][cvc]': '123',
    }
    const confirmed = await confirmCardPayment(payment.clientSecret, {
      ...card,
      return_url: 'http://localhost:3000/p/1',
    })
    expect(confirmed.body).toMatchObject({
      status: 'requires_action',
      next_action: { type: 'redirect_to_url', redirect_to_url: { return_url: 'http://localhost:3000/p/1' } },
    })
    await authenticateIntent(openSandboxStore(), payment.id, false)
    expect(await cards().payments.read(account, payment.id)).toMatchObject({
      status: 'open',
      failure: expect.stringContaining('authenticate'),
    })
    await confirmCardPayment(payment.clientSecret, card)
    await authenticateIntent(openSandboxStore(), payment.id, true)
    expect(await cards().payments.read(account, payment.id)).toMatchObject({ status: 'succeeded' })
  })

  test('a cancelled payment can’t be paid, and cancelling a paid one leaves it paid', async () => {
    const account = await openAccount()
    const open = await cards().payments.create(newId(), makeOrder(account))
    expect(await cards().payments.cancel(account, open.id)).toMatchObject({ status: 'cancelled' })
    expect(await cards().payments.cancel(account, open.id)).toMatchObject({ status: 'cancelled' })
    expect((await confirmCardPayment(open.clientSecret, { payment_method: 'pm_card_visa' })).body.error).toMatchObject({
      code: 'payment_intent_unexpected_state',
      payment_intent: { status: 'canceled' },
    })
    const paid = await cards().payments.create(newId(), makeOrder(account))
    await confirmCardPayment(paid.clientSecret, { payment_method: 'pm_card_visa' })
    expect(await cards().payments.cancel(account, paid.id)).toMatchObject({ status: 'succeeded' })
  })

  test('a payment is refunded once, with our fee, also when requested again', async () => {
    const account = await openAccount()
    const payment = await cards().payments.create(newId(), makeOrder(account))
    await confirmCardPayment(payment.clientSecret, { payment_method: 'pm_card_visa' })
    const key = newId()
    const request = { accountId: account, paymentId: payment.id, reference: key, withFee: true, amountMinor: null }
    const first = await cards().refunds.create(key, request)
    expect(first).toMatchObject({ status: 'succeeded', amountMinor: 1999n, reference: key })
    expect(await cards().refunds.create(key, request)).toEqual(first)
    await expect(cards().refunds.create(newId(), request)).rejects.toMatchObject({
      name: 'CardRefused',
      code: 'already_refunded',
    })
    expect(await cards().refunds.list(account, payment.id)).toEqual([first])
    expect(await cards().payments.read(account, payment.id)).toMatchObject({
      status: 'succeeded',
      refundedMinor: 1999n,
    })
  })

  test('a pending refund doesn’t count as refunded, and one that the bank returns has failed', async () => {
    const account = await openAccount()
    for (const [card, finalStatus, refundedMinor] of [
      ['pm_card_pendingRefund', 'succeeded', 1999n],
      ['pm_card_refundFail', 'failed', 0n],
    ] as const) {
      const payment = await cards().payments.create(newId(), makeOrder(account))
      await confirmCardPayment(payment.clientSecret, { payment_method: card })
      const refund = await cards().refunds.create(newId(), {
        accountId: account,
        paymentId: payment.id,
        reference: 'r',
        withFee: true,
        amountMinor: null,
      })
      expect(refund.status).toBe('pending')
      expect(await cards().payments.read(account, payment.id)).toMatchObject({ refundedMinor: 0n })
      moveClock(4_000)
      await runSandboxCards(async () => ({ ok: true }))
      expect(await cards().refunds.list(account, payment.id)).toMatchObject([{ id: refund.id, status: finalStatus }])
      expect(await cards().payments.read(account, payment.id)).toMatchObject({ refundedMinor })
    }
  })

  test('a disputed payment is marked and can’t be refunded', async () => {
    const account = await openAccount()
    const payment = await cards().payments.create(newId(), makeOrder(account))
    await confirmCardPayment(payment.clientSecret, { payment_method: 'pm_card_visa' })
    await openDispute(openSandboxStore(), payment.id)
    expect(await cards().payments.read(account, payment.id)).toMatchObject({ status: 'succeeded', disputed: true })
    await expect(
      cards().refunds.create(newId(), {
        accountId: account,
        paymentId: payment.id,
        reference: 'r',
        withFee: true,
        amountMinor: null,
      }),
    ).rejects.toMatchObject({ code: 'disputed' })
  })

  test.each([
    ['winning_evidence', false],
    ['losing_evidence', true],
  ])('a dispute ended by %s: disputed is %s', async (evidence, disputed) => {
    const account = await openAccount()
    const payment = await cards().payments.create(newId(), makeOrder(account))
    await confirmCardPayment(payment.clientSecret, { payment_method: 'pm_card_visa' })
    await openDispute(openSandboxStore(), payment.id)
    await answerDispute(
      openSandboxStore(),
      account,
      payment.id.replace(/^pi_/, 'dp_'),
      new URLSearchParams({ 'evidence[uncategorized_text]': evidence }),
    )
    expect(await cards().payments.read(account, payment.id)).toMatchObject({ status: 'succeeded', disputed })
    const refund = cards().refunds.create(newId(), {
      accountId: account,
      paymentId: payment.id,
      reference: 'r',
      withFee: true,
      amountMinor: null,
    })
    await (disputed
      ? expect(refund).rejects.toMatchObject({ code: 'disputed' })
      : expect(refund).resolves.toMatchObject({ status: 'succeeded' }))
  })

  test('another account’s payment is refused, a restricted account can’t charge, a disconnected one is lost', async () => {
    const [account, other] = [await openAccount(), await openAccount()]
    await runSandboxCards(async () => ({ ok: true }))
    const payment = await cards().payments.create(newId(), makeOrder(account))
    await expect(cards().payments.read(other, payment.id)).rejects.toThrow(CardRefused)
    await restrictAccount(openSandboxStore(), account, true)
    expect(await cards().accounts.read(account)).toMatchObject({ chargesEnabled: false })
    await deauthorizeAccount(openSandboxStore(), account)
    await expect(cards().accounts.read(account)).rejects.toThrow(CardAccountLost)
    await expect(cards().payments.cancel(account, payment.id)).rejects.toThrow(CardAccountLost)
  })

  test.each([
    ['USD', 1999n],
    ['EUR', 50n],
    ['GBP', 30n],
    ['JPY', 1999n],
  ] as const)('%s: the requested amount is charged exactly', async (currency, amountMinor) => {
    const account = await openAccount()
    const payment = await cards().payments.create(newId(), makeOrder(account, { currency, amountMinor, feeMinor: 0n }))
    expect((await confirmCardPayment(payment.clientSecret, { payment_method: 'pm_card_visa' })).body).toMatchObject({
      amount: Number(amountMinor),
      amount_received: Number(amountMinor),
      currency: currency.toLowerCase(),
    })
    expect(await cards().payments.read(account, payment.id)).toMatchObject({ amountMinor, currency })
  })

  test('events are accepted by their signature, within five minutes in either direction', () => {
    const body = JSON.stringify({
      id: 'evt_1',
      object: 'event',
      account: 'acct_1',
      created: 1,
      data: { object: { id: 'pi_1', object: 'payment_intent' } },
      livemode: false,
      type: 'payment_intent.succeeded',
    })
    const at = now()
    const minutes = (count: number) => new Date(at.getTime() + count * 60_000)
    expect(cards().readEvent(body, signatureOf(body, at), at)).toEqual({
      id: 'evt_1',
      type: 'payment_intent.succeeded',
      livemode: false,
      accountId: 'acct_1',
      about: { kind: 'payment', id: 'pi_1' },
    })
    expect(cards().readEvent(body, signatureOf(body, minutes(-4)), at).id).toBe('evt_1')
    expect(cards().readEvent(body, signatureOf(body, minutes(4)), at).id).toBe('evt_1')
    for (const signature of [
      '',
      't=1',
      signatureOf(body, minutes(-6)),
      signatureOf(body, minutes(6)),
      signatureOf(`${body} `, at),
      signatureOf(body, at, 'whsec_other'),
    ])
      expect(() => cards().readEvent(body, signature, at)).toThrow(CardEventRefused)
  })
})

describe('a provider that lists payments badly', () => {
  const keys = sandboxKeys()
  /** Lists 150 payments of a new account through `change`, which sees the number of each page. */
  async function listThrough(change: (page: number, url: URL) => Response | URL) {
    const accountId = `acct_${newId().replaceAll('-', '')}`
    const createdAt = now()
    await systemClient().sandboxAccount.create({ data: { id: accountId, state: 'ENABLED' } })
    await systemClient().sandboxPaymentIntent.createMany({
      data: Array.from({ length: 150 }, () => ({
        id: `pi_${newId().replaceAll('-', '')}`,
        accountId,
        clientSecret: newId(),
        requestKey: newId(),
        amount: 100n,
        currency: 'usd',
        status: 'requires_payment_method',
        metadata: {},
        createdAt,
      })),
    })
    let page = 0
    const cards = sandboxCards({
      keys,
      handle: async (request) => {
        const answer = change(++page, new URL(request.url))
        return answer instanceof Response ? answer : handleSandboxRequest(new Request(answer, request))
      },
    })
    return Array.fromAsync(cards.payments.list(accountId, { since: createdAt }))
  }

  test('fails the list when a page fails, as a list without it is not complete', async () => {
    const failing = listThrough((page, url) =>
      page === 2 ? Response.json({ error: { type: 'api_error', message: 'Oops.' } }, { status: 500 }) : url,
    )
    await expect(failing).rejects.toThrow(CardsUnavailable)
  })

  test('fails the list when a page repeats, instead of reading it for ever', async () => {
    const repeating = listThrough((_, url) => {
      url.searchParams.delete('starting_after')
      return url
    })
    await expect(repeating).rejects.toThrow(CardsUnavailable)
  })
})

describe('requests to Stripe', () => {
  test('and their answers match Stripe’s published description', () => expect(server.violations).toEqual([]))

  test('carry our row’s id as idempotency key, the account and the pinned API version', () => {
    const creations = server.seen.filter(({ method, path }) => method === 'POST' && path === '/v1/payment_intents')
    expect(creations.length).toBeGreaterThan(5)
    for (const { headers } of creations)
      expect(headers).toMatchObject({
        'stripe-version': '2025-09-30.clover',
        'idempotency-key': expect.stringMatching(/^[0-9a-f-]{36}$/),
        'stripe-account': expect.stringMatching(/^acct_/),
      })
  })

  test('allow cards only, and omit a fee of zero', () => {
    const forms = server.seen
      .filter(({ method, path }) => method === 'POST' && path === '/v1/payment_intents')
      .map(({ form }) => form)
    for (const form of forms) expect(form.payment_method_types).toEqual(['card'])
    expect(forms.some((form) => 'application_fee_amount' in form)).toBe(true)
    expect(forms.some((form) => !('application_fee_amount' in form))).toBe(true)
    for (const form of forms) expect(form.application_fee_amount).not.toBe('0')
    const refunds = server.seen
      .filter(({ method, path }) => method === 'POST' && path === '/v1/refunds')
      .map(({ form }) => form)
    for (const form of refunds) expect(form).toMatchObject({ refund_application_fee: 'true' })
  })

  test('with misspelt, unknown or mistyped fields are detected by the test server', () => {
    const violation = (form: string) => schemaViolationOf('POST', '/v1/payment_intents', new URLSearchParams(form))
    expect(violation('amount=1999&currency=usd&payment_method_types[0]=card')).toBeNull()
    expect(violation('amount=1999&currency=usd&payment_metod_types[0]=card')).toContain('payment_metod_types')
    expect(violation('amount=much&currency=usd')).toContain('integer')
    expect(violation('currency=usd')).toContain('amount')
    expect(schemaViolationOf('POST', '/v1/payment_intent', new URLSearchParams())).toContain('no operation')
  })

  test('throw CardsUnavailable when Stripe is down', async () => {
    const keys = sandboxKeys()
    const down = stripeCards({
      secretKey: keys.secretKey,
      publishableKey: keys.publishableKey,
      webhookSecrets: [],
      baseUrl: server.url,
    })
    server.down = true
    await expect(down.accounts.read('acct_1')).rejects.toThrow(CardsUnavailable)
    server.down = false
    const unreachable = stripeCards({
      secretKey: keys.secretKey,
      publishableKey: keys.publishableKey,
      webhookSecrets: [],
      baseUrl: 'http://127.0.0.1:1',
    })
    await expect(unreachable.accounts.read('acct_1')).rejects.toThrow(CardsUnavailable)
  })

  test('with a live key are in LIVE mode', () =>
    expect(stripeCards({ secretKey: 'sk_live_x', publishableKey: 'pk_live_x', webhookSecrets: [] }).mode).toBe('LIVE'))
})
