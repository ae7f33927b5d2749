import { describe, expect, test } from 'vitest'
import { moveClock } from '../../lib/core/clock.ts'
import { newId } from '../../lib/core/id.ts'
import { verifyRecords } from '../../lib/data/reconciliation/verify-records.ts'
import { systemClient } from '../../lib/db/client.ts'
import { openDispute } from '../../lib/ports/sandbox-cards/disputes.ts'
import { deauthorizeAccount } from '../../lib/ports/sandbox-cards/accounts.ts'
import { openSandboxStore } from '../../lib/ports/sandbox-cards/store.ts'
import { reconcileOpenPayments } from '../../lib/selling/payments/reconcile-payments.ts'
import { expirePurchases } from '../../lib/selling/purchases/expire-purchases.ts'
import { refundPurchase } from '../../lib/selling/purchases/refund-purchase.ts'
import { callerOf } from '../support/call.ts'
import { type CardShop, makeCardShop, processCardEvents } from '../support/card-sales.ts'
import { confirmCardPayment } from '../support/confirm-card-payment.ts'
import { leaveDisagreements } from '../support/verify-file.ts'
import {
  type Bought,
  buyAndPay,
  drain,
  HOUR_MS,
  listAccounts,
  MINUTE_MS,
  openAlarms,
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
