import { describe, expect, onTestFinished, test } from 'vitest'
import { moveClock, now } from '../../lib/core/clock.ts'
import { newId } from '../../lib/core/id.ts'
import { verifyRecords } from '../../lib/data/reconciliation/verify-records.ts'
import { systemClient } from '../../lib/db/client.ts'
import { CardAccountLost, CardsUnavailable } from '../../lib/ports/cards/cards.ts'
import { checkAccounts, listDueAccounts } from '../../lib/selling/payments/list-accounts.ts'
import { reconcileOpenPayments } from '../../lib/selling/payments/reconcile-payments.ts'
import { expirePurchases } from '../../lib/selling/purchases/expire-purchases.ts'
import { refundPurchase } from '../../lib/selling/purchases/refund-purchase.ts'
import { takeBackup } from '../support/organization-backup.ts'
import { callerOf } from '../support/call.ts'
import { type CardShop, makeCardShop, overrideCards, processCardEvents } from '../support/card-sales.ts'
import { confirmCardPayment } from '../support/confirm-card-payment.ts'
import { leaveDisagreements } from '../support/verify-file.ts'
import {
  buyAndPay,
  drain,
  HOUR_MS,
  isRecovering,
  listAccounts,
  lostOf,
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
