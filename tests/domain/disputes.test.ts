import { beforeEach, describe, expect, test } from 'vitest'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { inTransaction } from '../../lib/platform/auth/context.ts'
import { CardAccountLost } from '../../lib/ports/cards/cards.ts'
import { moveClock, resetClock } from '../../lib/core/clock.ts'
import { env } from '../../lib/core/env.ts'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import { reconcileEverything, reconcileOpenPayments } from '../../lib/selling/payments/reconcile-payments.ts'
import { ports } from '../../lib/ports/ports.ts'
import { deauthorizeAccount } from '../../lib/ports/sandbox-cards/accounts.ts'
import { openSandboxStore } from '../../lib/ports/sandbox-cards/store.ts'
import { answerDispute, openDispute } from '../../lib/ports/sandbox-cards/disputes.ts'
import { expirePurchases } from '../../lib/selling/purchases/expire-purchases.ts'
import { purchaseMintFailed } from '../../lib/selling/purchases/on-mint-failed.ts'
import { continuePurchase } from '../../lib/selling/purchases/continue-purchase.ts'
import { type CardShop, drainJobs, makeCardShop, overrideCards, processCardEvents } from '../support/card-sales.ts'
import { confirmCardPayment } from '../support/confirm-card-payment.ts'
import { installFakeChain, makeRandomAddress } from '../support/claims.ts'

beforeEach(() => {
  resetClock()
  installFakeChain()
  Object.assign(env, { OPEN_INTENTS_PER_BUYER: 0, OPEN_INTENTS_PER_CLIENT: 0 })
})

const visa = { payment_method: 'pm_card_visa' }

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

  test('a dispute leaves a mint that the chain has given already: nothing of it returns', async () => {
    const shop = await makeCardShop()
    const purchase = await shop.buy({ buyer: { eth_address: makeRandomAddress() } })
    await confirmCardPayment(purchase.data.client_secret, visa)
    await processCardEvents()
    const mint = await shop.ctx.db.mintRequest.findFirstOrThrow({ where: { purchaseIntentId: purchase.id } })
    const hold = { holderType: 'MINT_REQUEST' as const, holderId: mint.id }
    await shop.ctx.db.hold.updateMany({ where: hold, data: { state: 'CONSUMED' } })
    await openDispute(openSandboxStore(), purchase.providerId)
    await processCardEvents()
    expect((await shop.stateOf(purchase))[2]).toBe('DISPUTED')
    expect(await shop.ctx.db.mintRequest.findFirstOrThrow({ where: { id: mint.id } })).toMatchObject({
      state: 'WAITING',
    })
    expect(await shop.ctx.db.hold.count({ where: { ...hold, state: 'CONSUMED' } })).toBe(1)
    expect(await shop.ctx.db.hold.count({ where: { holderType: 'PURCHASE', holderId: purchase.id } })).toBe(0)
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
