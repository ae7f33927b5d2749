import { describe, expect, test } from 'vitest'
import { moveClock } from '../../lib/core/clock.ts'
import { newId } from '../../lib/core/id.ts'
import { verifyRecords } from '../../lib/data/reconciliation/verify-records.ts'
import { systemClient } from '../../lib/db/client.ts'
import { ports } from '../../lib/ports/ports.ts'
import { answerDispute, openDispute } from '../../lib/ports/sandbox-cards/disputes.ts'
import { openSandboxStore } from '../../lib/ports/sandbox-cards/store.ts'
import { enterLostPayment } from '../../lib/selling/payments/enter-lost-payment.ts'
import { reconcileEverything, reconcileOpenPayments } from '../../lib/selling/payments/reconcile-payments.ts'
import { expirePurchases } from '../../lib/selling/purchases/expire-purchases.ts'
import { refundPurchase } from '../../lib/selling/purchases/refund-purchase.ts'
import { takeBackup } from '../support/organization-backup.ts'
import { callerOf } from '../support/call.ts'
import { type CardShop, makeCardShop, overrideCards, processCardEvents } from '../support/card-sales.ts'
import { confirmCardPayment } from '../support/confirm-card-payment.ts'
import { makeListing } from '../support/listings.ts'
import { leaveDisagreements } from '../support/verify-file.ts'
import {
  buyAndPay,
  drain,
  HOUR_MS,
  isRecovering,
  listAccounts,
  lostOf,
  openAlarms,
  refundAtDashboard,
  restoreAfter,
  sandboxOf,
  setUpLostPayments,
  visa,
  worker,
} from '../support/lost-payments.ts'

leaveDisagreements(
  'Payments are told as paid that the sandbox provider has otherwise.',
  'a payment agrees with the sandbox provider’s',
)

setUpLostPayments()

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
