// What was asked before something newer was applied, and is answered after it.
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { moveClock, resetClock } from '../../lib/core/clock.ts'
import { env } from '../../lib/core/env.ts'
import { newId } from '../../lib/core/id.ts'
import { checkWebDomains } from '../../lib/organizations/check-web-domains.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { inTransaction } from '../../lib/platform/auth/context.ts'
import { type CardAccount, CardAccountLost, type CardPayment } from '../../lib/ports/cards/cards.ts'
import { ports, replacePorts } from '../../lib/ports/ports.ts'
import { restrictAccount } from '../../lib/ports/sandbox-cards/accounts.ts'
import { answerDispute, openDispute } from '../../lib/ports/sandbox-cards/disputes.ts'
import { openSandboxStore } from '../../lib/ports/sandbox-cards/store.ts'
import { readIntegration } from '../../lib/selling/payments/read-integration.ts'
import { readPayment } from '../../lib/selling/payments/read-payment.ts'
import { refundPayment } from '../../lib/selling/payments/refund-payment.ts'
import { requestRefund } from '../../lib/selling/payments/request-refund.ts'
import { callerOf } from '../support/call.ts'
import { type CardShop, drainJobs, makeCardShop, overrideCards, processCardEvents } from '../support/card-sales.ts'
import { installFakeChain } from '../support/claims.ts'
import { confirmCardPayment } from '../support/confirm-card-payment.ts'
import { makeListing } from '../support/listings.ts'
import { makeOrganization } from '../support/organization.ts'
import { leaveDisagreements } from '../support/verify-file.ts'

leaveDisagreements('answers are made up that the provider never gave', 'a payment agrees with the sandbox provider’s')

beforeEach(() => {
  resetClock()
  installFakeChain()
  Object.assign(env, { OPEN_INTENTS_PER_BUYER: 0, OPEN_INTENTS_PER_CLIENT: 0 })
})

type Paid = Awaited<ReturnType<typeof makePaid>>

async function makePaid(given?: CardShop, more: object = {}) {
  const shop = given ?? (await makeCardShop())
  const purchase = await shop.buy(more)
  await confirmCardPayment(purchase.data.client_secret, { payment_method: 'pm_card_visa' })
  await processCardEvents()
  return { shop, purchase }
}

const paymentOf = ({ shop, purchase }: Paid) =>
  shop.ctx.db.payment.findFirstOrThrow({ where: { id: purchase.paymentId } })
const readAgain = async (paid: Paid) => readPayment(paid.shop.ctx, await paymentOf(paid), paid.purchase.providerId)
const openAlarms = async ({ ctx }: CardShop) =>
  (await ctx.db.alarm.findMany({ where: { resolvedAt: null }, orderBy: { kind: 'asc' } })).map(({ kind }) => kind)

/**
 * The provider answers the next reading of a payment late: `meanwhile` happens between, and what it reads is answered
 * at once.
 */
function answerLate(meanwhile: () => Promise<unknown>): void {
  let waiting = true
  overrideCards(({ payments }) => ({
    payments: {
      ...payments,
      read: async (...which) => {
        const answer = await payments.read(...which)
        if (waiting) {
          waiting = false
          await meanwhile()
        }
        return answer
      },
    },
  }))
}

/** The provider says this of payments, with what it would say itself. */
const answerWith = (change: () => Partial<CardPayment>) =>
  overrideCards(({ payments }) => ({
    payments: { ...payments, read: async (...which) => ({ ...(await payments.read(...which)), ...change() }) },
  }))

const dispute = ({ purchase }: Paid) => openDispute(openSandboxStore(), purchase.providerId)
const decide = ({ shop, purchase }: Paid, evidence: 'winning_evidence' | 'losing_evidence') =>
  answerDispute(
    openSandboxStore(),
    shop.integration.accountId!,
    purchase.providerId.replace(/^pi_/, 'dp_'),
    new URLSearchParams({ 'evidence[uncategorized_text]': evidence }),
  )

const refundByHand = ({ shop, purchase }: Paid, amountMinor: bigint | null) =>
  ports().cards.known[0]!.refunds.create(newId(), {
    accountId: shop.integration.accountId!,
    paymentId: purchase.providerId,
    reference: newId(),
    withFee: false,
    amountMinor,
  })

describe('a reading of a payment that is answered late', () => {
  test('doesn’t end a dispute that was opened meanwhile', async () => {
    const paid = await makePaid()
    answerLate(async () => {
      await dispute(paid)
      await processCardEvents()
    })
    await readAgain(paid)
    expect(await paid.shop.stateOf(paid.purchase)).toEqual(['UNRESOLVED', 'EXCEPTION', 'DISPUTED'])
    expect(await openAlarms(paid.shop)).toEqual(['payment_disputed', 'purchase_unresolved'])
    expect(await paid.shop.ctx.db.emailClaim.count({ where: { state: 'OPEN' } })).toBe(0)
  })

  test('doesn’t open a dispute again that was won meanwhile', async () => {
    const paid = await makePaid()
    await dispute(paid)
    await processCardEvents()
    answerLate(async () => {
      await decide(paid, 'winning_evidence')
      await processCardEvents()
    })
    await readAgain(paid)
    expect(await paid.shop.stateOf(paid.purchase)).toEqual(['CONFIRMED', 'ASSIGNED', 'SUCCEEDED'])
    expect(await openAlarms(paid.shop)).toEqual([])
  })

  test('of a time between two disputes doesn’t end the second one, which was lost', async () => {
    const paid = await makePaid()
    answerLate(async () => {
      await dispute(paid)
      await decide(paid, 'losing_evidence')
      await processCardEvents()
    })
    await readAgain(paid)
    expect(await paid.shop.stateOf(paid.purchase)).toEqual(['UNRESOLVED', 'EXCEPTION', 'DISPUTED'])
  })

  test.each([500n, 1999n])('doesn’t take back a refund of %s that was made meanwhile', async (amountMinor) => {
    const paid = await makePaid()
    answerLate(async () => {
      await refundByHand(paid, amountMinor)
      await processCardEvents()
    })
    await readAgain(paid)
    expect(await paymentOf(paid)).toMatchObject({
      refundedMinor: amountMinor,
      state: amountMinor === 1999n ? 'REFUNDED' : 'SUCCEEDED',
    })
  })

  test('doesn’t count for a payment that changed at each of five questions; the job tries again later', async () => {
    const paid = await makePaid()
    let questions = 0
    overrideCards(({ payments }) => ({
      payments: {
        ...payments,
        read: async (...which) => {
          questions++
          await paid.shop.ctx.db.payment.updateMany({ where: { id: paid.purchase.paymentId }, data: { failure: null } })
          return { ...(await payments.read(...which)), disputed: true }
        },
      },
    }))
    await expect(readAgain(paid)).rejects.toThrow('changed again and again')
    expect([questions, (await paymentOf(paid)).state]).toEqual([5, 'SUCCEEDED'])
  })
})

describe('the refunded sum of a payment', () => {
  const refund = { id: 're_1', amountMinor: 500n, reference: null }

  test('stays when an answer names less of it without a failed refund', async () => {
    const paid = await makePaid()
    const answers: Partial<CardPayment>[] = [
      { refundedMinor: 500n, refunds: [{ ...refund, status: 'succeeded' }] },
      { refundedMinor: 0n, refunds: [] },
    ]
    answerWith(() => answers.shift()!)
    await readAgain(paid)
    await readAgain(paid)
    expect((await paymentOf(paid)).refundedMinor).toBe(500n)
  })

  test('goes down by a refund that the bank sent back', async () => {
    const paid = await makePaid()
    const answers: Partial<CardPayment>[] = [
      { refundedMinor: 500n, refunds: [{ ...refund, status: 'succeeded' }] },
      { refundedMinor: 0n, refunds: [{ ...refund, status: 'failed' }] },
    ]
    answerWith(() => answers.shift()!)
    await readAgain(paid)
    await readAgain(paid)
    expect((await paymentOf(paid)).refundedMinor).toBe(0n)
  })

  test('of a payment that was refunded goes down with an alarm, which ends when all is refunded again', async () => {
    const paid = await makePaid()
    const whole = { ...refund, amountMinor: 1999n }
    const answers: Partial<CardPayment>[] = [
      { refundedMinor: 1999n, refunds: [{ ...whole, status: 'succeeded' }] },
      { refundedMinor: 0n, refunds: [{ ...whole, status: 'failed' }] },
      { refundedMinor: 1999n, refunds: [{ ...whole, id: 're_2', status: 'succeeded' }] },
    ]
    answerWith(() => answers.shift()!)
    await readAgain(paid)
    await readAgain(paid)
    expect(await openAlarms(paid.shop)).toEqual(['refund_stuck'])
    await readAgain(paid)
    expect(await openAlarms(paid.shop)).toEqual([])
  })
})

test('an answer to an earlier refund isn’t recorded with the refund that was requested meanwhile', async () => {
  const shop = await makeCardShop()
  const { id: listing_id } = await makeListing(shop.organization, {
    units: 2n,
    price: 1999n,
    max_quantity_per_tx: 2n,
    currency: 'USD',
    payment_providers: ['CARD_PROVIDER'],
  })
  const paid = await makePaid(shop, { listing_id, quantity: 2 })
  const { purchase } = paid
  const request = (amountMinor: bigint | null) =>
    inTransaction(shop.ctx, (tx) => requestRefund(tx, purchase.id, amountMinor))
  await request(1999n)
  const first = (await paymentOf(paid)).refundId
  let isLate = true
  overrideCards(({ refunds }) => ({
    refunds: {
      ...refunds,
      create: async (...order) => {
        const answer = await refunds.create(...order)
        if (isLate) {
          isLate = false
          await processCardEvents()
          await request(null)
        }
        return answer
      },
    },
  }))
  await refundPayment(shop.ctx, purchase.paymentId)
  expect(await paymentOf(paid)).toMatchObject({ state: 'REFUNDING', refundedMinor: 1999n, providerRefundId: null })
  expect((await paymentOf(paid)).refundId).not.toBe(first)
  await drainJobs('refund-payment')
  expect(await paymentOf(paid)).toMatchObject({ state: 'REFUNDED', refundedMinor: 3998n })
})

describe('a reading of a card account that is answered late', () => {
  const readLate = (answer: (read: () => Promise<CardAccount>) => Promise<CardAccount>) => {
    let waiting = true
    overrideCards(({ accounts }) => ({
      accounts: {
        ...accounts,
        read: (id) => {
          if (!waiting) return accounts.read(id)
          waiting = false
          return answer(() => accounts.read(id))
        },
      },
    }))
  }

  test('doesn’t enable an account that was restricted meanwhile', async () => {
    const { ctx, integration } = await makeCardShop()
    readLate(async (read) => {
      const answer = await read()
      await restrictAccount(openSandboxStore(), integration.accountId!, true)
      await processCardEvents()
      return answer
    })
    expect(await readIntegration(ctx, integration.id)).toMatchObject({ status: 'RESTRICTED', chargesEnabled: false })
  })

  test('doesn’t disconnect an account that was read meanwhile', async () => {
    const { ctx, integration } = await makeCardShop()
    readLate(async () => {
      await readIntegration(ctx, integration.id)
      throw new CardAccountLost('It isn’t ours.')
    })
    expect(await readIntegration(ctx, integration.id)).toMatchObject({ status: 'ACTIVE' })
    expect(await ctx.db.alarm.count({ where: { kind: 'card_account_lost' } })).toBe(0)
  })
})

test('a check of a web domain that finds nothing, and is answered late, doesn’t undo one that found it', async () => {
  const organization = await makeOrganization()
  const api = callerOf(organization.key)
  const { dns, fetcher } = ports()
  onTestFinished(() => replacePorts({ dns, fetcher }))
  const found = `vitrine-organization=${organization.id}`
  replacePorts({
    dns: { ...dns, texts: () => Promise.resolve([found]) },
    fetcher: { ...fetcher, fetchText: () => Promise.resolve('') },
  })
  const giveDomain = () => api.patch(`/v1/organizations/${organization.id}`, { web_domain: 'late.example' })
  expect((await giveDomain()).status).toBe(200)
  moveClock(25 * 3_600_000)
  let waiting = true
  const texts = async () => {
    if (!waiting) return [found]
    waiting = false
    expect((await giveDomain()).status).toBe(200)
    return []
  }
  replacePorts({ dns: { ...dns, texts } })
  await checkWebDomains(systemContext('test'))
  const { webDomainFoundAt } = await organization.ctx.db.organization.findFirstOrThrow()
  expect(webDomainFoundAt).not.toBeNull()
})
