// What a card provider answers late, wrongly or not at all.
import { beforeEach, describe, expect, test } from 'vitest'
import { moveClock, resetClock } from '../../lib/core/clock.ts'
import { env } from '../../lib/core/env.ts'
import { systemClient } from '../../lib/db/client.ts'
import { CardRefused, CardsUnavailable } from '../../lib/ports/cards/cards.ts'
import { deauthorizeAccount } from '../../lib/ports/sandbox-cards/accounts.ts'
import { openSandboxStore } from '../../lib/ports/sandbox-cards/store.ts'
import { cancelPayment } from '../../lib/selling/payments/cancel-payment.ts'
import { makeAtProvider } from '../../lib/selling/payments/create-at-provider.ts'
import { checkAccounts } from '../../lib/selling/payments/list-accounts.ts'
import { reconcileOpenPayments } from '../../lib/selling/payments/reconcile-payments.ts'
import { refundPayment } from '../../lib/selling/payments/refund-payment.ts'
import { refundPurchase } from '../../lib/selling/purchases/refund-purchase.ts'
import { callerOf } from '../support/call.ts'
import { type CardShop, drainJobs, makeCardShop, overrideCards, processCardEvents } from '../support/card-sales.ts'
import { installFakeChain } from '../support/claims.ts'
import { confirmCardPayment } from '../support/confirm-card-payment.ts'

beforeEach(() => {
  resetClock()
  installFakeChain()
  Object.assign(env, { OPEN_INTENTS_PER_BUYER: 0, OPEN_INTENTS_PER_CLIENT: 0 })
})

const visa = { payment_method: 'pm_card_visa' }

async function makePaid(card = 'pm_card_visa') {
  const shop = await makeCardShop()
  const purchase = await shop.buy()
  await confirmCardPayment(purchase.data.client_secret, { payment_method: card })
  await processCardEvents()
  return { shop, purchase }
}

const openAlarms = ({ ctx }: CardShop, kind: string) => ctx.db.alarm.count({ where: { kind, resolvedAt: null } })
const failureOf = async ({ ctx }: CardShop, id: string) =>
  (await ctx.db.purchaseIntent.findFirstOrThrow({ where: { id } })).failure
/** What became of the events of a payment that the provider sent. */
const eventsOf = async (accountId: string) =>
  (await systemClient().cardEvent.findMany({ where: { accountId, type: 'payment_intent.succeeded' } })).map(
    ({ processedAt, failure }) => [processedAt !== null, failure],
  )

describe('an event about a payment', () => {
  test('that the provider can’t be asked about waits until it can', async () => {
    const shop = await makeCardShop()
    const purchase = await shop.buy()
    const answer = overrideCards(({ payments }) => ({
      payments: { ...payments, read: () => Promise.reject(new CardsUnavailable('It answers 500.')) },
    }))
    await confirmCardPayment(purchase.data.client_secret, visa)
    await expect(processCardEvents()).rejects.toThrow('It answers 500.')
    expect(await eventsOf(shop.integration.accountId!)).toEqual([[false, null]])
    answer()
    moveClock(21_000)
    await reconcileOpenPayments(shop.worker)
    expect((await shop.stateOf(purchase))[0]).toBe('CONFIRMED')
    expect(await eventsOf(shop.integration.accountId!)).toEqual([[true, null]])
  })

  test('that the provider refuses to read counts as processed, with the refusal as its reason', async () => {
    const shop = await makeCardShop()
    const purchase = await shop.buy()
    overrideCards(({ payments }) => ({
      payments: { ...payments, read: () => Promise.reject(new CardRefused('resource_missing', 'No such payment.')) },
    }))
    await confirmCardPayment(purchase.data.client_secret, visa)
    await processCardEvents()
    expect(await eventsOf(shop.integration.accountId!)).toEqual([[true, 'No such payment.']])
  })

  test('that is answered with another payment confirms nothing and raises an alarm', async () => {
    const shop = await makeCardShop()
    const [purchase, other] = [await shop.buy(), await shop.buy()]
    await confirmCardPayment(other.data.client_secret, visa)
    overrideCards(({ payments }) => ({
      payments: { ...payments, read: (accountId) => payments.read(accountId, other.providerId) },
    }))
    moveClock(21_000)
    await reconcileOpenPayments(shop.worker)
    expect(await shop.stateOf(purchase)).toEqual(['PENDING', 'PENDING', 'OPEN'])
    expect(await openAlarms(shop, 'payment_mismatch')).toBe(1)
    expect((await shop.stateOf(other))[0]).toBe('CONFIRMED')
  })
})

test('a minute after its purchase, a payment is looked for at the provider before it is made', async () => {
  const shop = await makeCardShop()
  const { paymentId, providerId } = await shop.buy()
  const payment = await shop.ctx.db.payment.findFirstOrThrow({ where: { id: paymentId } })
  let asked = 0
  overrideCards(({ payments }) => ({ payments: { ...payments, find: (...what) => (asked++, payments.find(...what)) } }))
  const makeAfter = async (ms: number) => {
    const now = () => new Date(payment.createdAt.getTime() + ms)
    return [(await makeAtProvider({ ...shop.ctx, now }, payment)).id, asked]
  }
  expect(await makeAfter(59_999)).toEqual([providerId, 0])
  expect(await makeAfter(60_000)).toEqual([providerId, 1])
})

test('while a refund waits for the bank, other payments are left alone', async () => {
  const { shop, purchase } = await makePaid('pm_card_pendingRefund')
  const other = await shop.buy()
  await refundPurchase(shop.ctx, purchase.id)
  await refundPayment(shop.ctx, purchase.paymentId)
  const nextRefundOf = async (id: string) =>
    (await shop.ctx.db.payment.findFirstOrThrow({ where: { id } })).nextRefundAt
  expect(await nextRefundOf(purchase.paymentId)).not.toBeNull()
  expect(await nextRefundOf(other.paymentId)).toBeNull()
  moveClock(4_000)
  await processCardEvents()
  expect((await shop.stateOf(purchase))[2]).toBe('REFUNDED')
})

test('a refund that the provider doesn’t answer for raises an alarm at the fourth try', async () => {
  const { shop, purchase } = await makePaid()
  overrideCards(({ refunds }) => ({
    refunds: { ...refunds, create: () => Promise.reject(new CardsUnavailable('It answers 500.')) },
  }))
  await refundPurchase(shop.ctx, purchase.id)
  const alarms: number[] = []
  for (let at = 0; at < 4; at++) {
    await refundPayment(shop.ctx, purchase.paymentId)
    alarms.push(await openAlarms(shop, 'refund_stuck'))
    moveClock((at + 1) * 3600_000)
  }
  expect(alarms).toEqual([0, 0, 0, 1])
  expect((await shop.stateOf(purchase))[2]).toBe('REFUNDING')
})

test('a purchase that waits for a person keeps its reason when its account is disconnected', async () => {
  const { shop, purchase } = await makePaid('pm_card_refundFail')
  await refundPurchase(shop.ctx, purchase.id)
  await drainJobs('refund-payment')
  moveClock(4_000)
  await processCardEvents()
  moveClock(7 * 3600_000)
  await reconcileOpenPayments(shop.worker)
  const reason = await failureOf(shop, purchase.id)
  expect([(await shop.stateOf(purchase))[0], reason]).toEqual(['UNRESOLVED', expect.stringContaining('bank')])
  await deauthorizeAccount(openSandboxStore(), shop.integration.accountId!)
  await processCardEvents()
  expect(await failureOf(shop, purchase.id)).toBe(reason)
})

test('an account that is lost while its payments are listed is disconnected', async () => {
  const shop = await makeCardShop()
  await systemClient().paymentIntegration.updateMany({
    where: { id: { not: shop.integration.id } },
    data: { status: 'DISCONNECTED' },
  })
  await deauthorizeAccount(openSandboxStore(), shop.integration.accountId!)
  await checkAccounts(shop.worker)
  expect(await shop.ctx.db.paymentIntegration.findFirstOrThrow({ where: { id: shop.integration.id } })).toMatchObject({
    status: 'DISCONNECTED',
    chargesEnabled: false,
  })
  expect(await openAlarms(shop, 'card_account_lost')).toBe(1)
})

test('a payment that was cancelled is shown neither with its purchase nor in the list', async () => {
  const shop = await makeCardShop()
  const [cancelled, open] = [await shop.buy(), await shop.buy()]
  await cancelPayment(shop.ctx, cancelled.paymentId)
  const api = callerOf(shop.organization.key)
  const { results } = (await api.get('/v1/purchase-intents')).body
  const shown = (id: string) => results.find((each: { id: string }) => each.id === id)
  expect(shown(cancelled.id).payment).toBeNull()
  expect(shown(open.id).payment).toMatchObject({ id: open.paymentId, state: 'OPEN' })
  for (const { id } of [cancelled, open])
    expect((await api.get(`/v1/purchase-intents/${id}`)).body.payment).toEqual(shown(id).payment)
})
