import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { POST as answer } from '../../app/sandbox/cards/authenticate/[paymentId]/answer/route.ts'
import { stripeCards } from '../../lib/ports/cards/stripe.ts'
import { moveClock, resetClock } from '../../lib/core/clock.ts'
import { refundPurchase } from '../../lib/selling/purchases/refund-purchase.ts'
import { createIntegration } from '../../lib/selling/payments/create-integration.ts'
import { refreshIntegration } from '../../lib/selling/payments/refresh-integration.ts'
import { ports, replacePorts } from '../../lib/ports/ports.ts'
import { submitOnboarding } from '../../lib/ports/sandbox-cards/accounts.ts'
import { openSandboxStore } from '../../lib/ports/sandbox-cards/store.ts'
import { findPaymentAuthentication } from '../../lib/ports/sandbox-cards/bank-page.ts'
import { sandboxKeys } from '../../lib/ports/sandbox-cards/keys.ts'
import { callerOf } from '../support/call.ts'
import { drainJobs, makeCardShop, processCardEvents, postToCardWebhook } from '../support/card-sales.ts'
import { confirmCardPayment } from '../support/confirm-card-payment.ts'
import { installFakeChain } from '../support/claims.ts'
import { makeListing } from '../support/listings.ts'
import { makeOrganization } from '../support/organization.ts'
import { type StripeServer, startStripeServer } from '../support/stripe-server.ts'
import { leaveDisagreements } from '../support/verify-file.ts'

leaveDisagreements(
  'A payment ends as paid at the provider, before its event is told.',
  'a payment agrees with the sandbox provider’s',
)

let server: StripeServer
beforeAll(async () => void (server = await startStripeServer()))
afterAll(() => server.close())
beforeEach(() => {
  resetClock()
  installFakeChain()
})

test('Stripe adapter: onboarding, a purchase, its events and a refund match Stripe’s API description', async () => {
  const before = ports().cards
  const keys = sandboxKeys()
  const stripe = stripeCards({
    secretKey: keys.secretKey,
    publishableKey: 'pk_test_ours',
    webhookSecrets: [keys.webhookSecret],
    baseUrl: server.url,
  })
  replacePorts({ cards: { inUse: { TEST: stripe, LIVE: null }, known: [stripe, ...before.known] } })
  const organization = await makeOrganization()
  const ctx = { ...organization.ctx, ports: ports() }
  const started = await createIntegration(ctx, { mode: 'TEST' })
  expect(started).toMatchObject({ adapter: 'STRIPE', status: 'PENDING' })
  await submitOnboarding(
    openSandboxStore(),
    started.account_id!,
    new URL(started.onboarding_url!).searchParams.get('token')!,
  )
  moveClock(5_000)
  expect(await refreshIntegration(ctx, started.id)).toMatchObject({ status: 'ACTIVE', onboarding_url: null })

  const listing = await makeListing(
    { ...organization, ctx },
    { units: 3n, price: 1999n, currency: 'EUR', payment_providers: ['CARD_PROVIDER'] },
  )
  const made = await callerOf().post('/public/v1/purchase-intents', {
    listing_id: listing.id,
    buyer: { email: 'ada@example.com' },
  })
  expect(made.body.data).toMatchObject({
    account_id: started.account_id,
    publishable_key: 'pk_test_ours',
    provider_price: { currency: 'EUR', price: '1999' },
  })
  await confirmCardPayment(made.body.data.client_secret, { payment_method: 'pm_card_visa' })
  await processCardEvents((url, init) => postToCardWebhook(url.replace('/sandbox', '/stripe'), init))
  expect(await ctx.db.purchaseIntent.findFirst({ where: { id: made.body.id } })).toMatchObject({
    status: 'CONFIRMED',
    fulfillmentStatus: 'ASSIGNED',
  })

  await refundPurchase(ctx, made.body.id)
  await drainJobs('refund-payment')
  expect(await ctx.db.payment.findFirst({ where: { intentId: made.body.id } })).toMatchObject({
    state: 'REFUNDED',
    adapter: 'STRIPE',
  })
  expect(server.violations).toEqual([])
  replacePorts({ cards: before })
})

test('the sandbox bank page returns to the buyer’s page with the bank’s answer, and closes once paid', async () => {
  const shop = await makeCardShop()
  const purchase = await shop.buy()
  const returnUrl = 'http://localhost:3000/p/1?embed=1'
  const confirmed = await confirmCardPayment(purchase.data.client_secret, {
    payment_method: 'pm_card_threeDSecure2Required',
    return_url: returnUrl,
  })
  const page = new URL(confirmed.body.next_action.redirect_to_url.url)
  const token = page.searchParams.get('token')!
  const answerBank = (text: string, sentToken = token) =>
    answer(
      new Request(`http://localhost:3000${page.pathname}/answer`, {
        method: 'POST',
        body: new URLSearchParams({ token: sentToken, answer: text }),
      }),
      { params: Promise.resolve({ paymentId: purchase.providerId }) },
    )
  expect(await findPaymentAuthentication(purchase.providerId, token)).toEqual({
    amountMinor: 1999n,
    currency: 'USD',
    last4: '3220',
    isOpen: true,
    returnUrl,
  })
  expect((await answerBank('yes', 'wrong')).status).toBe(404)
  const refused = await answerBank('no')
  expect([refused.status, refused.headers.get('location')]).toEqual([
    303,
    `${returnUrl}&payment_intent=${purchase.providerId}&redirect_status=failed`,
  ])
  await confirmCardPayment(purchase.data.client_secret, {
    payment_method: 'pm_card_threeDSecure2Required',
    return_url: returnUrl,
  })
  expect((await answerBank('yes')).headers.get('location')).toBe(
    `${returnUrl}&payment_intent=${purchase.providerId}&redirect_status=succeeded`,
  )
  await processCardEvents()
  expect((await shop.stateOf(purchase))[0]).toBe('CONFIRMED')
  expect(await findPaymentAuthentication(purchase.providerId, token)).toMatchObject({ isOpen: false })
})

test('the sandbox bank page never redirects to another origin', async () => {
  const shop = await makeCardShop()
  const purchase = await shop.buy()
  const confirmed = await confirmCardPayment(purchase.data.client_secret, {
    payment_method: 'pm_card_threeDSecure2Required',
    return_url: 'https://evil.example/',
  })
  const token = new URL(confirmed.body.next_action.redirect_to_url.url).searchParams.get('token')!
  expect(await findPaymentAuthentication(purchase.providerId, token)).toMatchObject({ returnUrl: null })
})

test('with the publishable key a buyer can pay and read, but not refund, cancel or see metadata', async () => {
  const shop = await makeCardShop()
  const purchase = await shop.buy()
  const paid = await confirmCardPayment(purchase.data.client_secret, { payment_method: 'pm_card_visa' })
  expect(paid.body).not.toHaveProperty('metadata')
  expect(paid.body).not.toHaveProperty('application_fee_amount')
  const { GET, POST } = await import('../../app/sandbox/cards/v1/[...path]/route.ts')
  const { publishableKey } = sandboxKeys()
  const base = 'http://localhost:3000/sandbox/cards/v1'
  const post = (path: string, form: Record<string, string>) =>
    POST(new Request(`${base}${path}`, { method: 'POST', body: new URLSearchParams({ key: publishableKey, ...form }) }))
  expect((await post('/refunds', { payment_intent: purchase.providerId })).status).toBe(401)
  expect((await post(`/payment_intents/${purchase.providerId}/cancel`, {})).status).toBe(401)
  expect(
    (
      await post(`/payment_intents/${purchase.providerId}/confirm`, {
        client_secret: 'pi_x_secret_y',
        payment_method: 'pm_card_visa',
      })
    ).status,
  ).toBe(400)
  expect((await post('/payment_intents/pi_nobody/confirm', { client_secret: 'x' })).status).toBe(404)
  const read = await GET(
    new Request(
      `${base}/payment_intents/${purchase.providerId}?key=${publishableKey}&client_secret=${purchase.data.client_secret}`,
    ),
  )
  expect([read.status, (await read.json()).status, read.headers.get('access-control-allow-origin')]).toEqual([
    200,
    'succeeded',
    '*',
  ])
})

test('the Stripe key’s mode decides which provider serves TEST and LIVE', async () => {
  const modesWith = async (secretKey: string) => {
    vi.resetModules()
    vi.stubEnv('STRIPE_SECRET_KEY', secretKey)
    const { inUse, known } = (await import('../../lib/ports/ports.ts')).ports().cards
    vi.unstubAllEnvs()
    return [inUse.TEST?.adapter, inUse.LIVE?.adapter, known.map((cards) => `${cards.adapter} ${cards.mode}`)]
  }
  expect(await modesWith('')).toEqual(['SANDBOX', undefined, ['SANDBOX TEST']])
  expect(await modesWith('sk_test_1')).toEqual(['STRIPE', undefined, ['STRIPE TEST', 'SANDBOX TEST']])
  expect(await modesWith('sk_live_1')).toEqual(['SANDBOX', 'STRIPE', ['STRIPE LIVE', 'SANDBOX TEST']])
  vi.resetModules()
})
