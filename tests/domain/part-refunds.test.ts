import { beforeEach, expect, test } from 'vitest'
import { inTransaction } from '../../lib/platform/auth/context.ts'
import { moveClock, resetClock } from '../../lib/core/clock.ts'
import { env } from '../../lib/core/env.ts'
import { newId } from '../../lib/core/id.ts'
import { verifyRecords } from '../../lib/data/reconciliation/verify-records.ts'
import { systemClient } from '../../lib/db/client.ts'
import { openVariables } from '../../lib/messaging/outbox/outbox.ts'
import { advanceMint } from '../../lib/onchain/mints/advance-mint.ts'
import { CardsUnavailable } from '../../lib/ports/cards/cards.ts'
import { ports } from '../../lib/ports/ports.ts'
import { answerDispute, openDispute } from '../../lib/ports/sandbox-cards/disputes.ts'
import { openSandboxStore } from '../../lib/ports/sandbox-cards/store.ts'
import { reconcileEverything, reconcileOpenPayments } from '../../lib/selling/payments/reconcile-payments.ts'
import { refundPayment } from '../../lib/selling/payments/refund-payment.ts'
import { purchaseDelivered, purchaseUndelivered } from '../../lib/selling/purchases/on-token-delivered.ts'
import { partsOf } from '../../lib/selling/purchases/delivery-parts.ts'
import { continuePurchase } from '../../lib/selling/purchases/continue-purchase.ts'
import { lockPurchase } from '../../lib/selling/purchases/lock-purchase.ts'
import { purchaseFailed } from '../../lib/selling/purchases/purchase-failed.ts'
import { refundPurchase } from '../../lib/selling/purchases/refund-purchase.ts'
import { takeBackup } from '../support/organization-backup.ts'
import { callerOf } from '../support/call.ts'
import { drainJobs, makeCardShop, overrideCards, processCardEvents } from '../support/card-sales.ts'
import { installFakeChain, makeRandomAddress } from '../support/claims.ts'
import { confirmCardPayment } from '../support/confirm-card-payment.ts'
import { makeListing, makePool } from '../support/listings.ts'

const DAY_MS = 86_400_000

beforeEach(() => {
  resetClock()
  installFakeChain()
  Object.assign(env, { OPEN_INTENTS_PER_BUYER: 0, OPEN_INTENTS_PER_CLIENT: 0 })
})

/** A paid purchase of three tokens for 5.97 USD, whose mints were sent. */
async function makeSentPurchase(card = 'pm_card_visa', email: string | null = null) {
  const shop = await makeCardShop()
  const { ctx } = shop
  const { collectionId } = await makePool(shop.organization, 3)
  const { id: listing_id } = await makeListing(shop.organization, {
    collection_id: collectionId,
    quantity_listed: 3n,
    max_quantity_per_tx: 3n,
    price: 199n,
    currency: 'USD',
    payment_providers: ['CARD_PROVIDER'],
  })
  const purchase = await shop.buy({ listing_id, quantity: 3, buyer: { email, eth_address: makeRandomAddress() } })
  await confirmCardPayment(purchase.data.client_secret, { payment_method: card })
  await processCardEvents()
  const mints = await ctx.db.mintRequest.findMany({ where: { purchaseIntentId: purchase.id }, orderBy: { id: 'asc' } })
  expect(mints).toHaveLength(3)
  const move = (at: number, to: 'SUBMITTED' | 'COMPLETED' | 'FAILED') =>
    inTransaction(ctx, async (tx) => {
      const mint = await tx.db.mintRequest.findFirstOrThrow({ where: { id: mints[at]!.id } })
      const change =
        to === 'FAILED' ? { failure: 'Somebody else got it on the chain.' } : { txHash: `0x${'1'.repeat(64)}` }
      await advanceMint(tx, mint, to, change)
    })
  for (const at of [0, 1, 2]) await move(at, 'SUBMITTED')
  const read = async () =>
    (await callerOf().get(`/public/v1/purchase-intents/${purchase.id}?secret=${purchase.secret}`)).body
  const refunds = () =>
    systemClient().sandboxRefund.findMany({
      where: { paymentIntentId: purchase.providerId, status: { not: 'failed' } },
      orderBy: { createdAt: 'asc' },
    })
  return { ...shop, purchase, move, read, refunds }
}

/** Two of three arrive, and one fails. */
async function makePartDelivered(card?: string, email?: string) {
  const sale = await makeSentPurchase(card, email)
  await sale.move(0, 'COMPLETED')
  await sale.move(1, 'FAILED')
  await sale.move(2, 'COMPLETED')
  return sale
}

const openAlarms = (subjects: string[]) =>
  systemClient().alarm.count({ where: { subject: { in: subjects }, resolvedAt: null } })
const disagreements = async (id: string, paymentId: string) =>
  (await verifyRecords((await makeCardShop()).worker)).filter(({ subject }) => subject === id || subject === paymentId)

test('the part of a purchase that can’t be delivered is refunded, and the purchase stays CONFIRMED', async () => {
  const { purchase, read, refunds, ctx, organization } = await makePartDelivered()
  await drainJobs()
  await processCardEvents()
  const view = await read()
  expect(view).toMatchObject({
    status: 'CONFIRMED',
    fulfillment_status: 'COMPLETED',
    quantity: 3,
    refunded_quantity: 1,
    price: '597',
  })
  expect(view.timeline.map(({ detail }: { detail: string | null }) => detail)).toEqual(
    expect.arrayContaining(['2 of 3 units arrived. The others can’t.', '1 of 3 units were refunded.']),
  )
  expect(await refunds()).toMatchObject([{ amount: 199n, status: 'succeeded' }])
  const { body } = await callerOf(organization.key).get(`/v1/purchase-intents/${purchase.id}`)
  expect(body).toMatchObject({ refunded_quantity: 1, payment: { state: 'SUCCEEDED', amount: '597', refunded: '199' } })
  expect(await openAlarms([purchase.id, purchase.paymentId])).toBe(0)
  expect(await ctx.db.event.count({ where: { key: purchase.id, type: 'purchase.refunded' } })).toBe(0)
  expect(await disagreements(purchase.id, purchase.paymentId)).toEqual([])
})

test('each refund is mailed once to the buyer: first the part, then the rest that a person orders', async () => {
  const { ctx, purchase } = await makePartDelivered(undefined, 'ada@example.com')
  const mails = () =>
    ctx.db.outboxMessage.findMany({
      where: { templateType: 'REFUND' },
      orderBy: { id: 'asc' },
      select: { id: true, toEmail: true, variables: true },
    })
  const read = async () =>
    (await mails()).map(({ id, toEmail, variables }) => {
      const { amount, part, reason, to_card } = openVariables<'REFUND'>({ id }, variables!)
      return { toEmail, amount, part, reason, to_card }
    })
  await drainJobs('settle-purchase')
  expect(await mails()).toEqual([])
  await drainJobs()
  await processCardEvents()
  const part = {
    toEmail: 'ada@example.com',
    amount: '$1.99',
    part: '1 of 3',
    reason: 'Somebody else got it on the chain.',
    to_card: 'yes',
  }
  expect(await read()).toEqual([part])
  await refundPurchase(ctx, purchase.id)
  await drainJobs()
  await processCardEvents()
  await processCardEvents()
  expect(await read()).toEqual([part, { ...part, amount: '$3.98', part: null }])
})

test('nothing is refunded while another part may still be mined', async () => {
  const { purchase, move, read, refunds, stateOf } = await makeSentPurchase()
  await move(0, 'COMPLETED')
  await move(1, 'FAILED')
  await drainJobs()
  expect(await stateOf(purchase)).toEqual(['CONFIRMED', 'EXCEPTION', 'SUCCEEDED'])
  expect(await refunds()).toEqual([])
  await move(2, 'FAILED')
  await drainJobs()
  await processCardEvents()
  expect(await read()).toMatchObject({ status: 'CONFIRMED', refunded_quantity: 2 })
  expect(await refunds()).toMatchObject([{ amount: 398n }])
})

test.each([
  ['OPEN', 1],
  ['LOCKED', 1],
  ['REDEEMED', 1],
  ['EXPIRED', 0],
  ['REVOKED', 0],
] as const)('of a purchase whose claim is %s, %i deliveries may still succeed', async (state, live) => {
  const { ctx, buy } = await makeCardShop()
  const purchase = await buy()
  await confirmCardPayment(purchase.data.client_secret, { payment_method: 'pm_card_visa' })
  await processCardEvents()
  await ctx.db.emailClaim.updateMany({ where: { purchaseIntentId: purchase.id }, data: { state } })
  expect(await inTransaction(ctx, (tx) => partsOf(tx, purchase.id))).toEqual({
    live,
    delivered: new Set(),
    ranOut: state === 'EXPIRED',
  })
})

test('a refund of a part is made once, however often the job runs and whichever answers are lost', async () => {
  const { purchase, ctx, read, refunds } = await makePartDelivered()
  let losses = 0
  overrideCards(({ refunds: real }) => ({
    refunds: {
      ...real,
      create: async (...order) => {
        const refund = await real.create(...order)
        if (losses++ < 2) throw new CardsUnavailable('The answer was lost.')
        return refund
      },
    },
  }))
  await drainJobs('settle-purchase')
  for (let at = 0; at < 4; at++) {
    await Promise.all(Array.from({ length: 4 }, () => refundPayment(ctx, purchase.paymentId)))
    await drainJobs('settle-purchase')
    moveClock(2 * DAY_MS)
  }
  await processCardEvents()
  expect(await refunds()).toMatchObject([{ amount: 199n }])
  expect(await read()).toMatchObject({ status: 'CONFIRMED', refunded_quantity: 1 })
})

test('a part that the organization refunded at the provider is not taken for ours, nor ours for all', async () => {
  const { purchase, integration, read, refunds, stateOf, worker } = await makePartDelivered('pm_card_pendingRefund')
  await drainJobs()
  expect(await stateOf(purchase)).toEqual(['CONFIRMED', 'COMPLETED', 'REFUNDING'])
  await systemClient().sandboxPaymentIntent.update({
    where: { id: purchase.providerId },
    data: { card: 'pm_card_visa' },
  })
  await ports().cards.known[0]!.refunds.create(newId(), {
    accountId: integration.accountId!,
    paymentId: purchase.providerId,
    reference: 'by hand',
    withFee: false,
    amountMinor: 199n,
  })
  moveClock(1_000)
  await processCardEvents()
  expect(await stateOf(purchase)).toEqual(['CONFIRMED', 'COMPLETED', 'REFUNDING'])
  expect(await read()).toMatchObject({ refunded_quantity: 0 })
  moveClock(3_000)
  await processCardEvents()
  moveClock(2 * DAY_MS)
  await reconcileEverything(worker)
  expect(await stateOf(purchase)).toEqual(['CONFIRMED', 'COMPLETED', 'SUCCEEDED'])
  expect(await read()).toMatchObject({ refunded_quantity: 1 })
  expect(await refunds()).toHaveLength(2)
})

test('the rest can be refunded by hand once the part is, and only once', async () => {
  const { purchase, ctx, read, refunds } = await makePartDelivered()
  await drainJobs('settle-purchase')
  await expect(refundPurchase(ctx, purchase.id)).rejects.toMatchObject({ code: 'not_refundable' })
  await drainJobs()
  await processCardEvents()
  await refundPurchase(ctx, purchase.id)
  await drainJobs()
  await processCardEvents()
  expect((await refunds()).map(({ amount }) => amount)).toEqual([199n, 398n])
  expect(await read()).toMatchObject({ status: 'REFUNDED', refunded_quantity: 3 })
  expect(await disagreements(purchase.id, purchase.paymentId)).toEqual([])
})

test('a full refund that a person orders is for all, though a part was delivered', async () => {
  const { purchase, ctx, move, read, refunds } = await makeSentPurchase()
  await move(0, 'COMPLETED')
  await move(1, 'FAILED')
  await move(2, 'FAILED')
  await refundPurchase(ctx, purchase.id)
  await drainJobs()
  await processCardEvents()
  expect((await refunds()).map(({ amount }) => amount)).toEqual([597n])
  expect(await read()).toMatchObject({ status: 'REFUNDED', refunded_quantity: 3 })
})

test('a refund of a part that the bank returns makes the purchase UNRESOLVED until it succeeds', async () => {
  const { purchase, read, refunds, stateOf, worker } = await makePartDelivered('pm_card_refundFail')
  await drainJobs()
  moveClock(4_000)
  await processCardEvents()
  moveClock(7 * 3_600_000)
  await reconcileOpenPayments(worker)
  expect(await stateOf(purchase)).toEqual(['UNRESOLVED', 'COMPLETED', 'REFUNDING'])
  expect(await openAlarms([purchase.id])).toBe(1)
  await systemClient().sandboxPaymentIntent.update({
    where: { id: purchase.providerId },
    data: { card: 'pm_card_visa' },
  })
  moveClock(7 * 3_600_000)
  await reconcileOpenPayments(worker)
  expect(await read()).toMatchObject({ status: 'CONFIRMED', fulfillment_status: 'COMPLETED', refunded_quantity: 1 })
  expect(await refunds()).toMatchObject([{ amount: 199n, status: 'succeeded' }])
  expect(await openAlarms([purchase.id, purchase.paymentId])).toBe(0)
})

test('a dispute stops the refund of a part, and one that the seller wins lets it continue', async () => {
  const { purchase, integration, read, refunds, stateOf, worker } = await makePartDelivered()
  await drainJobs('settle-purchase')
  await openDispute(openSandboxStore(), purchase.providerId)
  await processCardEvents()
  expect((await stateOf(purchase))[2]).toBe('DISPUTED')
  await answerDispute(
    openSandboxStore(),
    integration.accountId!,
    purchase.providerId.replace(/^pi_/, 'dp_'),
    new URLSearchParams({ 'evidence[uncategorized_text]': 'winning_evidence' }),
  )
  await processCardEvents()
  await reconcileOpenPayments(worker)
  expect(await stateOf(purchase)).toEqual(['CONFIRMED', 'COMPLETED', 'SUCCEEDED'])
  expect(await read()).toMatchObject({ refunded_quantity: 1 })
  expect(await refunds()).toMatchObject([{ amount: 199n }])
})

test('after a reorg a purchase of which a part was refunded is completed by its other parts', async () => {
  const { purchase, ctx, read, refunds } = await makePartDelivered()
  await drainJobs()
  await processCardEvents()
  await inTransaction(ctx, (tx) => purchaseUndelivered(tx, purchase.id))
  expect(await read()).toMatchObject({ fulfillment_status: 'ASSIGNED' })
  await inTransaction(ctx, (tx) => purchaseDelivered(tx, purchase.id))
  await drainJobs()
  expect(await read()).toMatchObject({ status: 'CONFIRMED', fulfillment_status: 'COMPLETED', refunded_quantity: 1 })
  expect(await refunds()).toHaveLength(1)
  expect(await ctx.db.event.count({ where: { key: purchase.id, type: 'purchase.fulfilled' } })).toBe(0)
})

test('a refund of a part that was made after a backup is counted when the backup is put back, and not made again', async () => {
  const { purchase, ctx, organization, read, refunds } = await makePartDelivered()
  const putBack = await takeBackup(organization.id)
  await drainJobs()
  await processCardEvents()
  await putBack()
  await continuePurchase(ctx, purchase.id)
  await drainJobs()
  await processCardEvents()
  expect(await refunds()).toMatchObject([{ amount: 199n }])
  expect(await read()).toMatchObject({ status: 'CONFIRMED', fulfillment_status: 'COMPLETED', refunded_quantity: 1 })
  expect(await disagreements(purchase.id, purchase.paymentId)).toEqual([])
})

test('a refund of a part that the backup knows isn’t taken for a later one', async () => {
  const { purchase, ctx, organization, read, refunds } = await makePartDelivered()
  await drainJobs()
  await processCardEvents()
  const putBack = await takeBackup(organization.id)
  /** One of the two that were delivered is lost. */
  const losePart = async () => {
    const delivered = { purchaseIntentId: purchase.id, state: 'COMPLETED' as const }
    const { id } = await ctx.db.mintRequest.findFirstOrThrow({ where: delivered, orderBy: { id: 'asc' } })
    await ctx.db.mintRequest.updateMany({ where: { id }, data: { state: 'FAILED' } })
    await inTransaction(ctx, async (tx) =>
      purchaseFailed(tx, await lockPurchase(tx, purchase.id), 'Somebody else got it on the chain.'),
    )
    await drainJobs()
    await processCardEvents()
  }
  await losePart()
  expect((await refunds()).map(({ amount }) => amount)).toEqual([199n, 199n])
  await putBack()
  expect(await read()).toMatchObject({ refunded_quantity: 1 })
  await losePart()
  expect((await refunds()).map(({ amount }) => amount)).toEqual([199n, 199n])
  expect(await read()).toMatchObject({ status: 'CONFIRMED', refunded_quantity: 2 })
})

test('what was refunded of a larger part after a backup is left out', async () => {
  const { purchase, move, ctx, organization, read, refunds } = await makeSentPurchase()
  await move(0, 'COMPLETED')
  const putBack = await takeBackup(organization.id)
  await move(1, 'FAILED')
  await move(2, 'COMPLETED')
  await drainJobs()
  await processCardEvents()
  expect((await refunds()).map(({ amount }) => amount)).toEqual([199n])
  await putBack()
  await move(1, 'FAILED')
  await move(2, 'FAILED')
  await continuePurchase(ctx, purchase.id)
  await drainJobs()
  await processCardEvents()
  expect((await refunds()).map(({ amount }) => amount)).toEqual([199n, 199n])
  expect(await read()).toMatchObject({ status: 'CONFIRMED', refunded_quantity: 2 })
})
