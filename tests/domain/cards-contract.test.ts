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
const made: Partial<Record<'STRIPE' | 'SANDBOX', Cards>> = {}

beforeAll(async () => {
  server = await startStripeServer()
  const keys = sandboxKeys()
  made.SANDBOX = sandboxCards({ keys, handle: (request) => handleSandboxRequest(request) })
  made.STRIPE = stripeCards({
    secretKey: keys.secretKey,
    publishableKey: keys.publishableKey,
    webhookSecrets: ['whsec_new', keys.webhookSecret],
    baseUrl: server.url,
  })
})
afterAll(() => server.close())
beforeEach(() => resetClock())

const order = (accountId: string, more: Partial<Parameters<Cards['payments']['create']>[1]> = {}) => ({
  accountId,
  amountMinor: 1999n,
  feeMinor: 100n,
  currency: 'USD' as const,
  reference: newId(),
  description: 'Purchase',
  ...more,
})

/** Both adapters promise the same. The one for Stripe talks over HTTP to a server that is held against Stripe's own description. */
describe.each(['SANDBOX', 'STRIPE'] as const)('cards by %s', (adapter) => {
  const cards = () => made[adapter]!

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

  test('an account is opened once a key, and takes payments only when it is verified', async () => {
    const key = newId()
    const first = await cards().accounts.open(key, { name: 'Gallery', reference: key })
    const again = await cards().accounts.open(key, { name: 'Gallery', reference: key })
    expect(again.id).toBe(first.id)
    expect(first).toMatchObject({ chargesEnabled: false, detailsSubmitted: false })
    expect(first.requirements.length).toBeGreaterThan(0)
    await expect(cards().payments.create(newId(), order(first.id))).rejects.toThrow(CardRefused)

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

  test('a payment is made once a key, and another order with the same key is refused', async () => {
    const account = await openAccount()
    const key = newId()
    const wanted = order(account)
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
      cards().payments.create(newId(), order(account, { amountMinor: 49n, feeMinor: 0n })),
    ).rejects.toMatchObject({ code: 'amount_too_small' })
  })

  test.each([
    ['pm_card_chargeDeclined', 'card_declined', 'generic_decline'],
    ['pm_card_chargeDeclinedInsufficientFunds', 'card_declined', 'insufficient_funds'],
    ['pm_card_chargeDeclinedExpiredCard', 'expired_card', 'expired_card'],
    ['pm_card_chargeDeclinedIncorrectCvc', 'incorrect_cvc', 'incorrect_cvc'],
    ['pm_card_chargeDeclinedProcessingError', 'processing_error', 'processing_error'],
  ])('%s is declined in Stripe’s shape, and another card goes through', async (name, code, declineCode) => {
    const account = await openAccount()
    const payment = await cards().payments.create(newId(), order(account))
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

  test('3-D Secure: the bank asks, and a yes pays while a no leaves it open', async () => {
    const account = await openAccount()
    const payment = await cards().payments.create(newId(), order(account))
    const card = {
      'payment_method_data[type]': 'card',
      'payment_method_data[card][number]': '4000 0025 0000 3155',
      'payment_method_data[card][exp_month]': '12',
      'payment_method_data[card][exp_year]': '34',
      'payment_method_data[card][cvc]': '123',
    }
    const asked = await confirmCardPayment(payment.clientSecret, { ...card, return_url: 'http://localhost:3000/p/1' })
    expect(asked.body).toMatchObject({
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

  test('a cancelled payment can’t be paid, and a paid one can’t be cancelled', async () => {
    const account = await openAccount()
    const open = await cards().payments.create(newId(), order(account))
    expect(await cards().payments.cancel(account, open.id)).toMatchObject({ status: 'cancelled' })
    expect(await cards().payments.cancel(account, open.id)).toMatchObject({ status: 'cancelled' })
    expect((await confirmCardPayment(open.clientSecret, { payment_method: 'pm_card_visa' })).body.error).toMatchObject({
      code: 'payment_intent_unexpected_state',
      payment_intent: { status: 'canceled' },
    })
    const paid = await cards().payments.create(newId(), order(account))
    await confirmCardPayment(paid.clientSecret, { payment_method: 'pm_card_visa' })
    expect(await cards().payments.cancel(account, paid.id)).toMatchObject({ status: 'succeeded' })
  })

  test('money goes back once, with our fee, whoever asks again', async () => {
    const account = await openAccount()
    const payment = await cards().payments.create(newId(), order(account))
    await confirmCardPayment(payment.clientSecret, { payment_method: 'pm_card_visa' })
    const key = newId()
    const asked = { accountId: account, paymentId: payment.id, reference: key, withFee: true }
    const first = await cards().refunds.create(key, asked)
    expect(first).toMatchObject({ status: 'succeeded', amountMinor: 1999n, reference: key })
    expect(await cards().refunds.create(key, asked)).toEqual(first)
    await expect(cards().refunds.create(newId(), asked)).rejects.toMatchObject({
      name: 'CardRefused',
      code: 'already_refunded',
    })
    expect(await cards().refunds.list(account, payment.id)).toEqual([first])
    expect(await cards().payments.read(account, payment.id)).toMatchObject({
      status: 'succeeded',
      refundedMinor: 1999n,
    })
  })

  test('a refund that is only under way doesn’t count, and one that the bank sends back has failed', async () => {
    const account = await openAccount()
    for (const [card, ends, back] of [
      ['pm_card_pendingRefund', 'succeeded', 1999n],
      ['pm_card_refundFail', 'failed', 0n],
    ] as const) {
      const payment = await cards().payments.create(newId(), order(account))
      await confirmCardPayment(payment.clientSecret, { payment_method: card })
      const refund = await cards().refunds.create(newId(), {
        accountId: account,
        paymentId: payment.id,
        reference: 'r',
        withFee: true,
      })
      expect(refund.status).toBe('pending')
      expect(await cards().payments.read(account, payment.id)).toMatchObject({ refundedMinor: 0n })
      moveClock(4_000)
      await runSandboxCards(async () => ({ ok: true }))
      expect(await cards().refunds.list(account, payment.id)).toMatchObject([{ id: refund.id, status: ends }])
      expect(await cards().payments.read(account, payment.id)).toMatchObject({ refundedMinor: back })
    }
  })

  test('a disputed payment says so, and can’t be refunded', async () => {
    const account = await openAccount()
    const payment = await cards().payments.create(newId(), order(account))
    await confirmCardPayment(payment.clientSecret, { payment_method: 'pm_card_visa' })
    await openDispute(openSandboxStore(), payment.id)
    expect(await cards().payments.read(account, payment.id)).toMatchObject({ status: 'succeeded', disputed: true })
    await expect(
      cards().refunds.create(newId(), { accountId: account, paymentId: payment.id, reference: 'r', withFee: true }),
    ).rejects.toMatchObject({ code: 'disputed' })
  })

  test.each([
    ['winning_evidence', false],
    ['losing_evidence', true],
  ])('a dispute that ended by %s', async (evidence, disputed) => {
    const account = await openAccount()
    const payment = await cards().payments.create(newId(), order(account))
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
    })
    await (disputed
      ? expect(refund).rejects.toMatchObject({ code: 'disputed' })
      : expect(refund).resolves.toMatchObject({ status: 'succeeded' }))
  })

  test('another account’s payment isn’t there, a restricted account takes none, and a disconnected one is lost', async () => {
    const [account, other] = [await openAccount(), await openAccount()]
    await runSandboxCards(async () => ({ ok: true }))
    const payment = await cards().payments.create(newId(), order(account))
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
  ] as const)('%s: what is ordered is what is charged, to the minor unit', async (currency, amountMinor) => {
    const account = await openAccount()
    const payment = await cards().payments.create(newId(), order(account, { currency, amountMinor, feeMinor: 0n }))
    expect((await confirmCardPayment(payment.clientSecret, { payment_method: 'pm_card_visa' })).body).toMatchObject({
      amount: Number(amountMinor),
      amount_received: Number(amountMinor),
      currency: currency.toLowerCase(),
    })
    expect(await cards().payments.read(account, payment.id)).toMatchObject({ amountMinor, currency })
  })

  test('events are believed for their signature, within five minutes both ways', () => {
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

describe('requests to Stripe', () => {
  test('are as Stripe’s published description has them, answers too', () => expect(server.violations).toEqual([]))

  test('carry our row’s id as idempotency key, the account, and the pinned version', () => {
    const orders = server.seen.filter(({ method, path }) => method === 'POST' && path === '/v1/payment_intents')
    expect(orders.length).toBeGreaterThan(5)
    for (const { headers } of orders)
      expect(headers).toMatchObject({
        'stripe-version': '2025-09-30.clover',
        'idempotency-key': expect.stringMatching(/^[0-9a-f-]{36}$/),
        'stripe-account': expect.stringMatching(/^acct_/),
      })
  })

  test('ask for cards only, and for no fee of zero', () => {
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

  test('that are misspelt, unknown or of the wrong type would be found', () => {
    const fault = (form: string) => schemaViolationOf('POST', '/v1/payment_intents', new URLSearchParams(form))
    expect(fault('amount=1999&currency=usd&payment_method_types[0]=card')).toBeNull()
    expect(fault('amount=1999&currency=usd&payment_metod_types[0]=card')).toContain('payment_metod_types')
    expect(fault('amount=much&currency=usd')).toContain('integer')
    expect(fault('currency=usd')).toContain('amount')
    expect(schemaViolationOf('POST', '/v1/payment_intent', new URLSearchParams())).toContain('no operation')
  })

  test('find no answer when Stripe is down', async () => {
    const keys = sandboxKeys()
    const patient = stripeCards({
      secretKey: keys.secretKey,
      publishableKey: keys.publishableKey,
      webhookSecrets: [],
      baseUrl: server.url,
    })
    server.down = true
    await expect(patient.accounts.read('acct_1')).rejects.toThrow(CardsUnavailable)
    server.down = false
    const nowhere = stripeCards({
      secretKey: keys.secretKey,
      publishableKey: keys.publishableKey,
      webhookSecrets: [],
      baseUrl: 'http://127.0.0.1:1',
    })
    await expect(nowhere.accounts.read('acct_1')).rejects.toThrow(CardsUnavailable)
  })

  test('of a live key are live', () =>
    expect(stripeCards({ secretKey: 'sk_live_x', publishableKey: 'pk_live_x', webhookSecrets: [] }).mode).toBe('LIVE'))
})
