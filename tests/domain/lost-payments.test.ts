import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { moveClock, now, resetClock } from '../../lib/core/clock.ts'
import { env } from '../../lib/core/env.ts'
import { newId } from '../../lib/core/id.ts'
import { verifyRecords } from '../../lib/data/reconciliation/verify-records.ts'
import { systemClient } from '../../lib/db/client.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { CardAccountLost, CardsUnavailable } from '../../lib/ports/cards/cards.ts'
import { ports } from '../../lib/ports/ports.ts'
import { answerDispute, openDispute } from '../../lib/ports/sandbox-cards/disputes.ts'
import { deauthorizeAccount } from '../../lib/ports/sandbox-cards/accounts.ts'
import { openSandboxStore } from '../../lib/ports/sandbox-cards/store.ts'
import { enterLostPayment } from '../../lib/selling/payments/enter-lost-payment.ts'
import { checkAccounts, listDueAccounts } from '../../lib/selling/payments/list-accounts.ts'
import { reconcileEverything, reconcileOpenPayments } from '../../lib/selling/payments/reconcile-payments.ts'
import { expirePurchases } from '../../lib/selling/purchases/expire-purchases.ts'
import { refundPurchase } from '../../lib/selling/purchases/refund-purchase.ts'
import { takeBackup } from '../support/organization-backup.ts'
import { callerOf } from '../support/call.ts'
import { type CardShop, drainJobs, makeCardShop, overrideCards, processCardEvents } from '../support/card-sales.ts'
import { installFakeChain } from '../support/claims.ts'
import { confirmCardPayment } from '../support/confirm-card-payment.ts'
import { makeListing } from '../support/listings.ts'
import { leaveDisagreements } from '../support/verify-file.ts'

leaveDisagreements(
  'Payments are told as paid that the sandbox provider has otherwise.',
  'a payment agrees with the sandbox provider’s',
)

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const visa = { payment_method: 'pm_card_visa' }

beforeEach(async () => {
  resetClock()
  installFakeChain()
  Object.assign(env, { OPEN_INTENTS_PER_BUYER: 0, OPEN_INTENTS_PER_CLIENT: 0 })
  // The accounts of other tests aren't listed again.
  await systemClient().paymentIntegration.updateMany({ data: { status: 'DISCONNECTED' } })
})

/** Made when it is used, so that it has the adapters of that moment. */
const worker = () => systemContext('test')
/** Runs the jobs of payments and purchases. */
const drain = () => drainJobs('process-card-event', 'settle-purchase', 'refund-payment')

type Bought = Awaited<ReturnType<CardShop['buy']>>

/**
 * A shop whose books are put back to where they were before `since` happened. The provider's events about it are lost
 * as well.
 */
async function restoreAfter<T>(shop: CardShop, since: () => Promise<T>): Promise<T> {
  const putBack = await takeBackup(shop.organization.id)
  const happened = await since()
  await drain()
  await putBack()
  await systemClient().sandboxEvent.deleteMany({ where: { accountId: shop.integration.accountId! } })
  return happened
}

const buyAndPay = async (shop: CardShop, more: object = {}): Promise<Bought> => {
  const purchase = await shop.buy(more)
  await confirmCardPayment(purchase.data.client_secret, visa)
  await processCardEvents()
  return purchase
}

/** Lists until the account's books are complete: the second listing finds nothing new. */
async function listAccounts(): Promise<void> {
  for (let at = 0; at < 2; at++) {
    moveClock(MINUTE_MS)
    await listDueAccounts(worker())
  }
}

const isRecovering = async ({ ctx, integration }: CardShop) =>
  (await ctx.db.paymentIntegration.findFirstOrThrow({ where: { id: integration.id } })).recoveringSince !== null
const openAlarms = async ({ ctx }: CardShop) =>
  (await ctx.db.alarm.findMany({ where: { resolvedAt: null }, orderBy: { kind: 'asc' } })).map(({ kind }) => kind)
const lostOf = ({ ctx }: CardShop) => ctx.db.lostPayment.findMany({ orderBy: { createdAt: 'asc' } })
const sandboxOf = ({ providerId }: Bought) =>
  systemClient().sandboxPaymentIntent.findUniqueOrThrow({
    where: { id: providerId },
    include: { refunds: { orderBy: { createdAt: 'asc' } } },
  })
const refundAtDashboard = async ({ integration }: CardShop, { providerId }: Bought, amountMinor: bigint | null) =>
  ports().cards.known[0]!.refunds.create(newId(), {
    accountId: integration.accountId!,
    paymentId: providerId,
    reference: newId(),
    withFee: false,
    amountMinor,
  })

describe('a paid purchase that the books lost', () => {
  test('is back as UNRESOLVED, with its id, price, units and secret, and is named in an alarm', async () => {
    const shop = await makeCardShop()
    const lost = await restoreAfter(shop, () => buyAndPay(shop))
    expect(await shop.ctx.db.purchaseIntent.count({ where: { id: lost.id } })).toBe(0)
    await listAccounts()
    expect(await shop.stateOf(lost)).toEqual(['UNRESOLVED', 'PENDING', 'SUCCEEDED'])
    const { body } = await callerOf().get(`/public/v1/purchase-intents/${lost.id}?secret=${lost.secret}`)
    expect(body).toMatchObject({ status: 'UNRESOLVED', price: '1999', currency: 'USD', quantity: 1 })
    expect(body.units).toHaveLength(1)
    const [alarm] = await shop.ctx.db.alarm.findMany({ where: { kind: 'purchase_recovered', resolvedAt: null } })
    expect(alarm).toMatchObject({ subject: lost.id })
    for (const named of [lost.providerId, '$19.99', '1 units', shop.listing.id]) expect(alarm!.detail).toContain(named)
    const listing = await shop.ctx.db.listing.findFirstOrThrow({ where: { id: shop.listing.id } })
    expect([listing.quantityOpen, listing.quantityConfirmed]).toEqual([1n, 0n])
    // Nothing of it delivers or refunds by itself.
    moveClock(HOUR_MS)
    await reconcileOpenPayments(worker())
    await reconcileEverything(worker())
    await expirePurchases(worker())
    await drain()
    expect(await shop.stateOf(lost)).toEqual(['UNRESOLVED', 'PENDING', 'SUCCEEDED'])
    expect(await shop.ctx.db.emailClaim.count({})).toBe(0)
    expect((await sandboxOf(lost)).refunds).toEqual([])
    expect(await verifyRecords(worker())).toEqual([])
  })

  test('is noticed by an event about it, without a listing', async () => {
    const shop = await makeCardShop()
    const putBack = await takeBackup(shop.organization.id)
    const lost = await shop.buy()
    await putBack()
    await confirmCardPayment(lost.data.client_secret, visa)
    await processCardEvents()
    expect(await shop.stateOf(lost)).toEqual(['UNRESOLVED', 'PENDING', 'SUCCEEDED'])
    expect(await isRecovering(shop)).toBe(true)
    expect(await openAlarms(shop)).toEqual(['account_recovering', 'purchase_recovered'])
    await listAccounts()
    expect(await isRecovering(shop)).toBe(false)
    expect(await openAlarms(shop)).toEqual(['purchase_recovered'])
    expect(await verifyRecords(worker())).toEqual([])
  })

  test('that has no units left is back without any, and can be refunded', async () => {
    const shop = await makeCardShop({ units: 1n })
    const lost = await restoreAfter(shop, () => buyAndPay(shop))
    const other = await buyAndPay(shop)
    await listAccounts()
    expect(await shop.stateOf(other)).toEqual(['CONFIRMED', 'ASSIGNED', 'SUCCEEDED'])
    const { body } = await callerOf(shop.organization.key).get(`/v1/purchase-intents/${lost.id}`)
    expect(body).toMatchObject({ status: 'UNRESOLVED', units: [], refundable: true, email: null, eth_address: null })
    expect(await verifyRecords(worker())).toEqual([])
    await refundPurchase(shop.ctx, lost.id)
    await drain()
    expect(await shop.stateOf(lost)).toEqual(['REFUNDED', 'EXCEPTION', 'REFUNDED'])
    expect(await verifyRecords(worker())).toEqual([])
  })

  test('is refunded by its organization through the API; its units return and its alarm ends', async () => {
    const shop = await makeCardShop()
    const lost = await restoreAfter(shop, () => buyAndPay(shop))
    await listAccounts()
    const answer = await callerOf(shop.organization.key).post(`/v1/purchase-intents/${lost.id}/refund`, {})
    expect(answer.status).toBe(200)
    await drain()
    expect(await shop.stateOf(lost)).toEqual(['REFUNDED', 'EXCEPTION', 'REFUNDED'])
    expect((await sandboxOf(lost)).refunds).toMatchObject([{ amount: 1999n, status: 'succeeded' }])
    expect(await openAlarms(shop)).toEqual([])
    const listing = await shop.ctx.db.listing.findFirstOrThrow({ where: { id: shop.listing.id } })
    expect([listing.quantityOpen, listing.quantityConfirmed]).toEqual([0n, 0n])
    expect(await verifyRecords(worker())).toEqual([])
  })

  test('and was refunded completely is back as REFUNDED, without units or an alarm', async () => {
    const shop = await makeCardShop()
    const lost = await restoreAfter(shop, async () => {
      const purchase = await buyAndPay(shop)
      await refundPurchase(shop.ctx, purchase.id)
      await drain()
      return purchase
    })
    await listAccounts()
    await drain()
    expect((await shop.stateOf(lost)).filter((_, at) => at !== 1)).toEqual(['REFUNDED', 'REFUNDED'])
    expect((await sandboxOf(lost)).refunds).toHaveLength(1)
    expect(await openAlarms(shop)).toEqual([])
    expect(await verifyRecords(worker())).toEqual([])
  })

  test('and was refunded in part is back with what was refunded; only the rest can be', async () => {
    const shop = await makeCardShop()
    const lost = await restoreAfter(shop, async () => {
      const purchase = await buyAndPay(shop)
      await refundAtDashboard(shop, purchase, 500n)
      return purchase
    })
    await listAccounts()
    const { body } = await callerOf(shop.organization.key).get(`/v1/purchase-intents/${lost.id}`)
    expect(body).toMatchObject({ status: 'UNRESOLVED', payment: { state: 'SUCCEEDED', refunded: '500' } })
    expect(await verifyRecords(worker())).toEqual([])
    await refundPurchase(shop.ctx, lost.id)
    await drain()
    expect(await shop.stateOf(lost)).toEqual(['REFUNDED', 'EXCEPTION', 'REFUNDED'])
    expect((await sandboxOf(lost)).refunds.map(({ amount }) => amount)).toEqual([500n, 1499n])
  })

  test('and whose dispute the seller wins stays with a person', async () => {
    const shop = await makeCardShop()
    const lost = await restoreAfter(shop, async () => {
      const purchase = await buyAndPay(shop)
      await openDispute(openSandboxStore(), purchase.providerId)
      return purchase
    })
    await listAccounts()
    expect(await shop.stateOf(lost)).toEqual(['UNRESOLVED', 'PENDING', 'DISPUTED'])
    await answerDispute(
      openSandboxStore(),
      shop.integration.accountId!,
      lost.providerId.replace('pi_', 'dp_'),
      new URLSearchParams({ 'evidence[uncategorized_text]': 'winning_evidence', submit: 'true' }),
    )
    await processCardEvents()
    await drain()
    expect(await shop.stateOf(lost)).toEqual(['UNRESOLVED', 'PENDING', 'SUCCEEDED'])
    expect(await shop.ctx.db.emailClaim.count({})).toBe(0)
  })

  test('whose listing is lost too is named in an alarm until it is refunded at the provider', async () => {
    const shop = await makeCardShop()
    const { bought, listing } = await restoreAfter(shop, async () => {
      const listing = await makeListing(shop.organization, {
        units: 2n,
        price: 1999n,
        currency: 'USD',
        payment_providers: ['CARD_PROVIDER'],
      })
      return { listing, bought: await buyAndPay(shop, { listing_id: listing.id, quantity: 1 }) }
    })
    await listAccounts()
    expect(await lostOf(shop)).toMatchObject([
      {
        providerId: bought.providerId,
        paymentId: bought.paymentId,
        intentId: bought.id,
        listingId: listing.id,
        outcome: 'UNMATCHED',
        amountMinor: 1999n,
      },
    ])
    expect(await openAlarms(shop)).toEqual(['payment_lost'])
    expect(await isRecovering(shop)).toBe(false)
    expect((await verifyRecords(worker())).filter(({ subject }) => subject === bought.providerId)).toEqual([])
    await refundAtDashboard(shop, bought, null)
    await systemClient().sandboxEvent.deleteMany({ where: { accountId: shop.integration.accountId! } })
    await reconcileEverything(worker())
    expect(await openAlarms(shop)).toEqual([])
    expect(await lostOf(shop)).toMatchObject([{ refundedMinor: 1999n, refundedAt: expect.any(Date) }])
  })
})

test('a payment entered by an older answer, while an event about it was read, ends as the event’s answer says', async () => {
  const shop = await makeCardShop()
  const bought = await restoreAfter(shop, async () => {
    const listing = await makeListing(shop.organization, {
      units: 2n,
      price: 1999n,
      currency: 'USD',
      payment_providers: ['CARD_PROVIDER'],
    })
    return buyAndPay(shop, { listing_id: listing.id, quantity: 1 })
  })
  const older = await ports().cards.known[0]!.payments.read(shop.integration.accountId!, bought.providerId)
  await refundAtDashboard(shop, bought, null)
  let entered: Promise<unknown> | undefined
  overrideCards(({ payments }) => ({
    payments: {
      ...payments,
      read: async (...which) => {
        const answer = await payments.read(...which)
        await (entered ??= enterLostPayment(shop.ctx, shop.integration, older))
        return answer
      },
    },
  }))
  await processCardEvents()
  expect(await entered).toBe('UNMATCHED')
  expect(await lostOf(shop)).toMatchObject([{ refundedMinor: 1999n, refundedAt: expect.any(Date) }])
  await listAccounts()
  expect(await openAlarms(shop)).toEqual([])
})

describe('an open payment that the books lost', () => {
  test('is cancelled at the provider and entered once, so that nobody pays for it', async () => {
    const shop = await makeCardShop()
    const lost = await restoreAfter(shop, () => shop.buy())
    await listAccounts()
    expect((await sandboxOf(lost)).status).toBe('canceled')
    expect((await confirmCardPayment(lost.data.client_secret, visa)).status).toBe(400)
    expect(await shop.ctx.db.purchaseIntent.count({})).toBe(0)
    await processCardEvents()
    await listAccounts()
    expect(await lostOf(shop)).toMatchObject([{ providerId: lost.providerId, outcome: 'CANCELLED' }])
    expect(await openAlarms(shop)).toEqual([])
    expect(await isRecovering(shop)).toBe(false)
    expect(await verifyRecords(worker())).toEqual([])
  })

  test('that is paid while it is being cancelled comes back as paid', async () => {
    const shop = await makeCardShop()
    const lost = await restoreAfter(shop, () => shop.buy())
    overrideCards(({ payments }) => ({
      payments: {
        ...payments,
        cancel: async (accountId, id) => {
          await confirmCardPayment(lost.data.client_secret, visa)
          return payments.cancel(accountId, id)
        },
      },
    }))
    await listAccounts()
    expect(await shop.stateOf(lost)).toEqual(['UNRESOLVED', 'PENDING', 'SUCCEEDED'])
    expect(await lostOf(shop)).toMatchObject([{ outcome: 'RECOVERED' }])
  })
})

describe('payments that mean nothing', () => {
  /** A paid payment of the account with these labels. */
  async function payWith({ integration }: CardShop, metadata: Record<string, string>, amountMinor = 1999n) {
    const { reference = '', ...more } = metadata
    const payment = await ports().cards.known[0]!.payments.create(newId(), {
      accountId: integration.accountId!,
      amountMinor,
      feeMinor: 0n,
      currency: 'USD',
      reference,
      metadata: more,
      description: 'Something of the seller’s',
    })
    await confirmCardPayment(payment.clientSecret, visa)
    return payment
  }

  test.each([
    ['without labels', () => ({})],
    [
      'that another installation made',
      ({ mark: _, ...labels }: Record<string, string>) => ({ ...labels, mark: 'x'.repeat(43) }),
    ],
    ['of an installation without marks', ({ reference }: Record<string, string>) => ({ reference: reference! })],
    ['with our labels and a larger quantity', (labels: Record<string, string>) => ({ ...labels, quantity: '9' })],
    [
      'with our labels and another purchase',
      (labels: Record<string, string>) => ({ ...labels, purchase_intent: newId() }),
    ],
  ])('the seller’s own payment %s means nothing', async (_, change) => {
    const shop = await makeCardShop()
    const lost = await restoreAfter(shop, () => buyAndPay(shop))
    const labels = (await sandboxOf(lost)).metadata as Record<string, string>
    await systemClient().sandboxPaymentIntent.delete({ where: { id: lost.providerId } })
    await payWith(shop, change(labels) as Record<string, string>)
    await processCardEvents()
    await listAccounts()
    expect([await isRecovering(shop), await lostOf(shop), await openAlarms(shop)]).toEqual([false, [], []])
  })

  test('the seller’s own payment with our labels that charges less means nothing', async () => {
    const shop = await makeCardShop()
    const lost = await restoreAfter(shop, () => buyAndPay(shop))
    const labels = (await sandboxOf(lost)).metadata as Record<string, string>
    await systemClient().sandboxPaymentIntent.delete({ where: { id: lost.providerId } })
    await payWith(shop, labels, 50n)
    await processCardEvents()
    await listAccounts()
    expect([await isRecovering(shop), await lostOf(shop)]).toEqual([false, []])
  })

  test('a payment from before our labels is ours when the books have it', async () => {
    const shop = await makeCardShop()
    const purchase = await shop.buy()
    await systemClient().sandboxPaymentIntent.update({
      where: { id: purchase.providerId },
      data: { metadata: { reference: purchase.paymentId } },
    })
    await confirmCardPayment(purchase.data.client_secret, visa)
    await processCardEvents()
    await listAccounts()
    expect(await shop.stateOf(purchase)).toEqual(['CONFIRMED', 'ASSIGNED', 'SUCCEEDED'])
    expect([await isRecovering(shop), await lostOf(shop)]).toEqual([false, []])
  })

  test('a payment carries what it was ordered for and nothing about its buyer', async () => {
    const shop = await makeCardShop()
    const purchase = await shop.buy({ buyer: { email: 'ada@example.com' } })
    const { metadata } = await sandboxOf(purchase)
    expect(metadata).toEqual({
      reference: purchase.paymentId,
      purchase_intent: purchase.id,
      listing: shop.listing.id,
      quantity: '1',
      method: 'EMAIL',
      mark: expect.stringMatching(/^[\w-]{43}$/),
    })
  })
})

describe('while a card account recovers', () => {
  /**
   * A shop with an open purchase, a paid one and one under refund, whose account recovers because the provider's list
   * fails.
   */
  async function makeRecovering() {
    const shop = await makeCardShop()
    const lost = await restoreAfter(shop, () => shop.buy())
    const [open, paid, refunding] = [await shop.buy(), await buyAndPay(shop), await buyAndPay(shop)]
    await refundPurchase(shop.ctx, refunding.id)
    const work = overrideCards(({ payments }) => ({
      payments: {
        ...payments,
        list: () => {
          throw new CardsUnavailable('The list is out of order.')
        },
      },
    }))
    await confirmCardPayment(lost.data.client_secret, visa)
    await processCardEvents()
    expect(await isRecovering(shop)).toBe(true)
    return { shop, open, paid, refunding, lost, work }
  }

  test('nothing is refunded, by itself or by a person, and no purchase expires; afterwards all goes on', async () => {
    const { shop, open, paid, refunding, lost, work } = await makeRecovering()
    const refund = () => callerOf(shop.organization.key).post(`/v1/purchase-intents/${paid.id}/refund`, {})
    moveClock(HOUR_MS)
    await listDueAccounts(worker())
    await drain()
    await reconcileOpenPayments(worker())
    await expirePurchases(worker())
    expect(await shop.stateOf(refunding)).toEqual(['CONFIRMED', 'EXCEPTION', 'REFUNDING'])
    expect((await sandboxOf(refunding)).refunds).toEqual([])
    expect(await shop.stateOf(open)).toEqual(['PENDING', 'PENDING', 'OPEN'])
    expect((await sandboxOf(open)).status).toBe('requires_payment_method')
    const refused = await refund()
    expect([refused.status, refused.body.code]).toEqual([409, 'recovering'])
    expect(await openAlarms(shop)).toEqual(['account_recovering', 'purchase_recovered'])

    work()
    await listAccounts()
    expect(await isRecovering(shop)).toBe(false)
    await reconcileOpenPayments(worker())
    await expirePurchases(worker())
    await drain()
    expect((await shop.stateOf(refunding))[0]).toBe('REFUNDED')
    expect(await shop.stateOf(open)).toEqual(['EXPIRED', 'PENDING', 'CANCELLED'])
    expect((await refund()).status).toBe(200)
    expect((await shop.stateOf(lost))[0]).toBe('UNRESOLVED')
    expect(await openAlarms(shop)).toEqual(['purchase_recovered'])
    expect(await verifyRecords(worker())).toEqual([])
  })

  test('the accounts of others refund and expire as usual', async () => {
    const { work } = await makeRecovering()
    const other = await makeCardShop()
    const [open, paid] = [await other.buy(), await buyAndPay(other)]
    await refundPurchase(other.ctx, paid.id)
    await drain()
    moveClock(HOUR_MS)
    await expirePurchases(worker())
    expect((await other.stateOf(paid))[0]).toBe('REFUNDED')
    expect((await other.stateOf(open))[0]).toBe('EXPIRED')
    work()
  })
})

describe('a provider that doesn’t tell everything', () => {
  const sell = async (shop: CardShop, count: number) =>
    Array.fromAsync(Array.from({ length: count }), () => buyAndPay(shop))

  test('a list that breaks off prolongs the recovery; each payment is entered once', async () => {
    const shop = await makeCardShop()
    const lost = await restoreAfter(shop, () => sell(shop, 3))
    let works = false
    overrideCards(({ payments }) => ({
      payments: {
        ...payments,
        async *list(...range) {
          for await (const page of payments.list(...range)) {
            yield page.slice(0, 1)
            // A page that repeats.
            yield page.slice(0, 1)
            if (!works) throw new CardsUnavailable('The second page failed.')
            yield page.slice(1)
          }
        },
      },
    }))
    await listAccounts()
    expect(await isRecovering(shop)).toBe(true)
    expect(await lostOf(shop)).toHaveLength(1)
    works = true
    await listAccounts()
    expect(await isRecovering(shop)).toBe(false)
    expect((await lostOf(shop)).map(({ providerId }) => providerId).sort()).toEqual(
      lost.map(({ providerId }) => providerId).sort(),
    )
    expect(await shop.ctx.db.purchaseIntent.count({ where: { status: 'UNRESOLVED' } })).toBe(3)
    const began = { action: 'payment_integration.recovering', subjectId: shop.integration.id }
    expect(await shop.ctx.db.auditEntry.count({ where: began })).toBe(1)
    expect(await verifyRecords(worker())).toEqual([])
  })

  test('a payment that can’t be read or cancelled prolongs the recovery and holds up no other', async () => {
    const shop = await makeCardShop()
    const [first, second, third] = await restoreAfter(shop, async () => [
      await shop.buy(),
      await buyAndPay(shop),
      await buyAndPay(shop),
    ])
    let works = false
    overrideCards(({ payments }) => ({
      payments: {
        ...payments,
        read: async (accountId, id) => {
          if (!works && id === second!.providerId) throw new CardsUnavailable('It answers 500.')
          return payments.read(accountId, id)
        },
        cancel: async (accountId, id) => {
          if (!works) throw new CardsUnavailable('It answers 500.')
          return payments.cancel(accountId, id)
        },
      },
    }))
    await listAccounts()
    expect(await isRecovering(shop)).toBe(true)
    expect(await lostOf(shop)).toMatchObject([{ providerId: third!.providerId }])
    works = true
    await listAccounts()
    expect(await isRecovering(shop)).toBe(false)
    expect(await lostOf(shop)).toHaveLength(3)
    expect((await sandboxOf(first!)).status).toBe('canceled')
  })

  test('an account that is lost while one of its payments is read is disconnected', async () => {
    const shop = await makeCardShop()
    await restoreAfter(shop, () => sell(shop, 1))
    const lost = () => Promise.reject(new CardAccountLost('The account is gone.'))
    overrideCards(({ payments, accounts }) => ({
      payments: { ...payments, read: lost },
      accounts: { ...accounts, read: lost },
    }))
    await listDueAccounts(worker())
    const { status } = await shop.ctx.db.paymentIntegration.findFirstOrThrow({ where: { id: shop.integration.id } })
    expect([status, await lostOf(shop)]).toEqual(['DISCONNECTED', []])
    expect(await openAlarms(shop)).toEqual(['card_account_lost'])
  })

  test('an event and two listings at the same moment enter a payment once', async () => {
    const shop = await makeCardShop()
    const putBack = await takeBackup(shop.organization.id)
    const lost = await shop.buy()
    await putBack()
    await confirmCardPayment(lost.data.client_secret, visa)
    moveClock(MINUTE_MS)
    await Promise.all([processCardEvents(), listDueAccounts(worker()), checkAccounts(worker())])
    expect(await lostOf(shop)).toHaveLength(1)
    expect(await shop.stateOf(lost)).toEqual(['UNRESOLVED', 'PENDING', 'SUCCEEDED'])
    await listAccounts()
    expect(await isRecovering(shop)).toBe(false)
    expect(await verifyRecords(worker())).toEqual([])
  })
})

describe('a listing of the accounts', () => {
  test('happens once an hour, and again after a worker was started', async () => {
    await makeCardShop()
    let lists = 0
    overrideCards(({ payments }) => ({
      payments: {
        ...payments,
        list: (...range) => {
          lists++
          return payments.list(...range)
        },
      },
    }))
    await listDueAccounts(worker())
    moveClock(30 * MINUTE_MS)
    await listDueAccounts(worker())
    expect(lists).toBe(1)
    const started = { id: newId(), startedAt: now(), seenAt: now() }
    await systemClient().worker.create({ data: started })
    onTestFinished(async () => void (await systemClient().worker.delete({ where: { id: started.id } })))
    moveClock(MINUTE_MS)
    await listDueAccounts(worker())
    await listDueAccounts(worker())
    expect(lists).toBe(2)
    moveClock(HOUR_MS)
    await listDueAccounts(worker())
    expect(lists).toBe(3)
  })

  test('goes on from where the backup’s last one was, however old the backup is', async () => {
    const shop = await makeCardShop()
    await listAccounts()
    const lost = await restoreAfter(shop, () => buyAndPay(shop))
    moveClock(20 * 24 * HOUR_MS)
    await listAccounts()
    expect((await shop.stateOf(lost))[0]).toBe('UNRESOLVED')
    expect(await isRecovering(shop)).toBe(false)
  })

  test('by hand goes 8 days back, and tells of each account what was found and whether it could be listed', async () => {
    const [shop, away] = [await makeCardShop(), await makeCardShop()]
    const lost = await restoreAfter(shop, () => buyAndPay(shop))
    moveClock(7 * 24 * HOUR_MS)
    // The last listing is said to be from now: only a check goes further back.
    await systemClient().paymentIntegration.updateMany({ data: { listedAt: now() } })
    await listDueAccounts(worker())
    expect(await lostOf(shop)).toEqual([])
    overrideCards(({ payments }) => ({
      payments: {
        ...payments,
        list: (accountId, range) => {
          if (accountId === away.integration.accountId) throw new CardsUnavailable('Nobody answers.')
          return payments.list(accountId, range)
        },
      },
    }))
    expect(await checkAccounts(worker())).toEqual([
      {
        organizationId: shop.organization.id,
        integrationId: shop.integration.id,
        accountId: shop.integration.accountId,
        found: [lost.providerId],
        recovering: false,
        failure: null,
      },
      {
        organizationId: away.organization.id,
        integrationId: away.integration.id,
        accountId: away.integration.accountId,
        found: [],
        recovering: false,
        failure: 'Nobody answers.',
      },
    ])
    expect((await shop.stateOf(lost))[0]).toBe('UNRESOLVED')
  })
})

describe('a payment that the books know, but not its end', () => {
  test('a refund made after the backup is not made again', async () => {
    const shop = await makeCardShop()
    const purchase = await buyAndPay(shop)
    await restoreAfter(shop, async () => {
      await refundPurchase(shop.ctx, purchase.id)
      await drain()
    })
    expect(await shop.stateOf(purchase)).toEqual(['CONFIRMED', 'ASSIGNED', 'SUCCEEDED'])
    await refundPurchase(shop.ctx, purchase.id)
    await drain()
    expect((await sandboxOf(purchase)).refunds).toMatchObject([{ amount: 1999n }])
    expect((await shop.stateOf(purchase))[0]).toBe('REFUNDED')
    expect(await verifyRecords(worker())).toEqual([])
  })

  test('one whose creation the backup was waiting for is found days later, not made a second time', async () => {
    const shop = await makeCardShop()
    const purchase = await shop.buy()
    // The provider has forgotten the idempotency key.
    await systemClient().sandboxPaymentIntent.update({
      where: { id: purchase.providerId },
      data: { requestKey: newId() },
    })
    const creating = { state: 'CREATING', providerId: null, clientSecret: null, checkedAt: null } as const
    await shop.ctx.db.payment.updateMany({ where: { id: purchase.paymentId }, data: creating })
    await confirmCardPayment(purchase.data.client_secret, visa)
    await systemClient().sandboxEvent.deleteMany({ where: { accountId: shop.integration.accountId! } })
    moveClock(3 * 24 * HOUR_MS)
    for (let at = 0; at < 2; at++) {
      await reconcileOpenPayments(worker())
      moveClock(MINUTE_MS)
    }
    await drain()
    expect(await shop.stateOf(purchase)).toEqual(['CONFIRMED', 'ASSIGNED', 'SUCCEEDED'])
    const made = await systemClient().sandboxPaymentIntent.count({ where: { accountId: shop.integration.accountId! } })
    expect(made).toBe(1)
  })

  test('one whose creation the backup was waiting for is cancelled days later, when its purchase expires', async () => {
    const shop = await makeCardShop()
    const purchase = await shop.buy()
    const creating = { state: 'CREATING', providerId: null, clientSecret: null } as const
    await shop.ctx.db.payment.updateMany({ where: { id: purchase.paymentId }, data: creating })
    moveClock(3 * 24 * HOUR_MS)
    await expirePurchases(worker())
    expect((await sandboxOf(purchase)).status).toBe('canceled')
    expect(await shop.stateOf(purchase)).toEqual(['EXPIRED', 'PENDING', 'CANCELLED'])
  })
})

describe('a person decides about an unresolved purchase', () => {
  const decide = ({ organization }: CardShop, { id }: Bought, outcome: string) =>
    callerOf(organization.key).post(`/v1/purchase-intents/${id}/resolve`, { outcome })
  const answerOf = async (answer: ReturnType<typeof decide>) => {
    const { status, body } = await answer
    return [status, body.code ?? body.status]
  }
  const listingOf = async ({ ctx, listing }: CardShop) => {
    const { quantityOpen, quantityConfirmed } = await ctx.db.listing.findFirstOrThrow({ where: { id: listing.id } })
    return [quantityOpen, quantityConfirmed]
  }

  test('a recovered one that was delivered counts as sold, and its alarm ends', async () => {
    const shop = await makeCardShop()
    const lost = await restoreAfter(shop, () => buyAndPay(shop))
    await listAccounts()
    expect(await answerOf(decide(shop, lost, 'NOT_PAID'))).toEqual([409, 'not_unresolved'])
    expect(await answerOf(decide(shop, lost, 'REFUNDED'))).toEqual([409, 'not_unresolved'])
    expect(await answerOf(decide(shop, lost, 'DELIVERED'))).toEqual([200, 'CONFIRMED'])
    expect(await shop.stateOf(lost)).toEqual(['CONFIRMED', 'COMPLETED', 'SUCCEEDED'])
    expect(await listingOf(shop)).toEqual([0n, 1n])
    expect(await openAlarms(shop)).toEqual([])
    expect(await verifyRecords(worker())).toEqual([])
    expect(await answerOf(decide(shop, lost, 'DELIVERED'))).toEqual([409, 'not_unresolved'])
  })

  test('a recovered one without units that was delivered counts nowhere else', async () => {
    const shop = await makeCardShop({ units: 1n })
    const lost = await restoreAfter(shop, () => buyAndPay(shop))
    await buyAndPay(shop)
    await listAccounts()
    expect(await answerOf(decide(shop, lost, 'DELIVERED'))).toEqual([200, 'CONFIRMED'])
    expect(await listingOf(shop)).toEqual([0n, 1n])
    expect(await verifyRecords(worker())).toEqual([])
  })

  test.each([
    ['DELIVERED', ['CONFIRMED', 'COMPLETED', 'SUCCEEDED'], [0n, 1n]],
    ['REFUNDED', ['REFUNDED', 'EXCEPTION', 'REFUNDED'], [0n, 0n]],
    ['NOT_PAID', ['CANCELLED', 'PENDING', 'CANCELLED'], [0n, 0n]],
  ] as const)(
    'one whose account was lost before anybody knew whether it was paid ends as %s',
    async (outcome, state, counters) => {
      const shop = await makeCardShop()
      const open = await shop.buy()
      await deauthorizeAccount(openSandboxStore(), shop.integration.accountId!)
      await processCardEvents()
      expect(await shop.stateOf(open)).toEqual(['UNRESOLVED', 'PENDING', 'CANCELLING'])
      expect((await decide(shop, open, outcome)).status).toBe(200)
      const told = await shop.ctx.db.event.findFirst({ where: { type: 'purchase.fulfilled' } })
      expect(told?.data ?? null).toEqual(
        outcome === 'DELIVERED' ? expect.objectContaining({ item_ids: [expect.any(String)] }) : null,
      )
      await drain()
      expect(await shop.stateOf(open)).toEqual(state)
      expect(await listingOf(shop)).toEqual(counters)
      expect(await openAlarms(shop)).toEqual(['card_account_lost'])
      // The provider has nothing to compare with: the account is lost.
      expect((await verifyRecords(worker())).filter(({ subject }) => subject === open.id)).toEqual([])
    },
  )

  test('one whose payment is disputed waits for the bank', async () => {
    const shop = await makeCardShop()
    const purchase = await buyAndPay(shop)
    await openDispute(openSandboxStore(), purchase.providerId)
    await processCardEvents()
    expect(await answerOf(decide(shop, purchase, 'DELIVERED'))).toEqual([409, 'not_unresolved'])
  })
})
