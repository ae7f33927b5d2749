import { afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { verifyRecords } from '../../lib/data/reconciliation/verify-records.ts'
import { organizationContext, systemContext } from '../../lib/platform/auth/authenticate.ts'
import { inTransaction } from '../../lib/platform/auth/context.ts'
import { liftLocks } from '../../lib/giving/lift-locks.ts'
import { HOUR, moveClock, now, resetClock } from '../../lib/core/clock.ts'
import { env } from '../../lib/core/env.ts'
import { systemClient } from '../../lib/db/client.ts'
import { newId } from '../../lib/core/id.ts'
import { advanceMint } from '../../lib/onchain/mints/advance-mint.ts'
import { expirePurchases } from '../../lib/selling/purchases/expire-purchases.ts'
import { purchasePaid } from '../../lib/selling/purchases/purchase-paid.ts'
import { refundStuck } from '../../lib/selling/purchases/refund-stuck.ts'
import { returnUnopened } from '../../lib/selling/purchases/return-unopened.ts'
import { type Chain, ChainUnavailable } from '../../lib/ports/chain/chain.ts'
import { ports, replacePorts } from '../../lib/ports/ports.ts'
import { openSandboxStore } from '../../lib/ports/sandbox-cards/store.ts'
import { openDispute } from '../../lib/ports/sandbox-cards/disputes.ts'
import { callerOf } from '../support/call.ts'
import { makeRandomAddress, makeItem, installFakeChain } from '../support/claims.ts'
import { drainJobs } from '../support/jobs.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import {
  makeBuyer,
  makeAddressBuyer,
  buy,
  connectCards,
  deliverCardEvents,
  FREE_PRICE,
  makeListing,
  pay,
  readPurchase,
} from '../support/selling.ts'

let organization: TestOrganization
const api = () => callerOf(organization.key)
const worker = () => systemContext('test')
const listingOf = async (id: string) => (await api().get(`/v1/listings/${id}`)).body
const purchaseOf = async (id: string) => (await api().get(`/v1/purchase-intents/${id}`)).body
const EDITION = { item: { tokenType: 'ERC1155' as const, maxSupply: 20n }, quantity_listed: 20 }

beforeAll(async () => {
  installFakeChain()
  organization = await makeOrganization()
  await connectCards(organization)
})
beforeEach(resetClock)
afterEach(async () => {
  resetClock()
  expect(await verifyRecords(worker())).toEqual([])
})

async function bought(listingId: string, body: object = {}) {
  const created = (await buy(listingId, { ...body })).body
  await pay(created.data)
  await deliverCardEvents()
  return created
}

describe('refused purchases', () => {
  const refusal = async (listing: { id: string }, body: object) => {
    const { status, body: problem } = await buy(listing.id, { ...body })
    return [status, problem.code, problem.errors?.[0]?.field]
  }

  test('the provider must be given if there are several, be offered, and fit buyer and quantity', async () => {
    const listing = await makeListing(organization, {
      ...FREE_PRICE,
      payment_providers: ['ORGANIZATION', 'EMAIL_CLAIM'],
    })
    expect(await refusal(listing, { buyer: makeAddressBuyer() })).toEqual([422, 'provider_required', 'provider'])
    expect(await refusal(listing, { buyer: makeAddressBuyer(), provider: 'CARD_PROVIDER' })).toEqual([
      422,
      'provider_not_offered',
      'provider',
    ])
    expect(await refusal(listing, { buyer: makeBuyer(), provider: 'ORGANIZATION' })).toEqual([
      422,
      'buyer_invalid',
      'buyer.eth_address',
    ])
    expect(await refusal(listing, { buyer: makeAddressBuyer(), provider: 'EMAIL_CLAIM' })).toEqual([
      422,
      'buyer_invalid',
      'buyer.email',
    ])
    expect(await refusal(listing, { buyer: makeAddressBuyer(), provider: 'ORGANIZATION', quantity: 2 })).toEqual([
      422,
      'quantity_invalid',
      'quantity',
    ])
    expect(await refusal(listing, { buyer: makeAddressBuyer(), provider: 'CASH' })).toEqual([
      400,
      'invalid_request',
      'provider',
    ])
    expect(await refusal({ id: newId() }, { buyer: makeAddressBuyer() })).toEqual([404, 'not_found', 'listing_id'])
  })

  test('a card purchase needs the buyer’s email or address', async () => {
    expect(await refusal(await makeListing(organization), { buyer: {} })).toEqual([422, 'buyer_invalid', 'buyer'])
  })

  test('a fourth open purchase of one buyer and an eleventh of one client are refused, and the answer says when the open ones end', async () => {
    const listing = await makeListing(organization, EDITION)
    const buyer = makeBuyer()
    const ends: string[] = []
    const open = async (more?: Record<string, unknown>) => ends.push((await buy(listing.id, more)).body.expires_at)
    for (let at = 0; at < 3; at++) await open({ buyer })
    const refusal = async (more?: Record<string, unknown>) => {
      const { status, headers, body } = await buy(listing.id, more)
      return [status, body.code, headers.get('retry-after'), body.open_purchases]
    }
    const told = () => [429, 'purchases_open', null, ends.toSorted().map((expires_at) => ({ expires_at }))]
    expect(await refusal({ buyer })).toEqual(told())
    for (let at = 3; at < 10; at++) await open()
    expect(await refusal()).toEqual(told())
    expect((await buy(listing.id, {}, { 'x-client-address': '192.0.2.7' })).status).toBe(201)
  })

  test('as many open purchases of one buyer and of one client are made when they come at once', async () => {
    // So many units that none of it asks for a proof.
    const units = { item: { tokenType: 'ERC1155' as const, maxSupply: 40n }, quantity_listed: 40 }
    const listing = await makeListing(organization, units)
    const statusesOf = async (asked: Promise<{ status: number }>[]) =>
      (await Promise.all(asked)).map(({ status }) => status).sort()
    const times = (count: number, status: number) => Array<number>(count).fill(status)
    const buyer = makeBuyer()
    const ofBuyer = Array.from({ length: 8 }, () => buy(listing.id, { buyer }))
    expect(await statusesOf(ofBuyer)).toEqual([...times(3, 201), ...times(5, 429)])
    const from = { 'x-client-address': '192.0.2.8' }
    const ofClient = Array.from({ length: 16 }, () => buy(listing.id, {}, from))
    expect(await statusesOf(ofClient)).toEqual([...times(10, 201), ...times(6, 429)])
    expect(await organization.ctx.db.purchaseIntent.count({ where: { listingId: listing.id } })).toBe(13)
  })

  test('purchases that were given up or paid make room for others of the same buyer and client', async () => {
    const listing = await makeListing(organization, EDITION)
    const from = { 'x-client-address': '192.0.2.9' }
    const buyer = makeBuyer()
    const made = []
    for (let at = 0; at < 10; at++) made.push((await buy(listing.id, { ...(at < 3 && { buyer }) }, from)).body)
    const statuses = async () => [
      (await buy(listing.id, { buyer }, from)).status,
      (await buy(listing.id, {}, from)).status,
    ]
    expect(await statuses()).toEqual([429, 429])
    const [givenUp, paid] = made
    await callerOf().delete(`/public/v1/purchase-intents/${givenUp.id}?secret=${givenUp.secret}`)
    await pay(paid.data)
    await deliverCardEvents()
    expect(await statuses()).toEqual([201, 201])
  })

  test('the zero address is refused', async () => {
    const listing = await makeListing(organization, { ...FREE_PRICE, payment_providers: ['ORGANIZATION'] })
    expect(await refusal(listing, { buyer: { eth_address: `0x${'0'.repeat(40)}` } })).toEqual([
      422,
      'address_cannot_receive',
      'buyer.eth_address',
    ])
  })
})

test('a network that doesn’t answer stops no purchase of ERC-1155 units, whose contract asks the receiver itself; a token of ERC-721 it does', async () => {
  const local = ports().chains.get(31337)!
  onTestFinished(() => replacePorts({ chains: new Map([[31337, local]]) }))
  const withCode = (code: Chain['code']) => replacePorts({ chains: new Map([[31337, { ...local, code }]]) })
  const free = { ...FREE_PRICE, payment_providers: ['BETA_FREE_MINT'] }
  const [edition, single] = [
    await makeListing(organization, { ...EDITION, ...free }),
    await makeListing(organization, free),
  ]
  const buyOf = async (listing: { id: string }) => {
    const { status, body } = await buy(listing.id, { buyer: { eth_address: makeRandomAddress() } })
    return [status, body.code ?? body.status]
  }
  withCode(() => Promise.reject(new ChainUnavailable('No node answers.')))
  expect(await buyOf(single)).toEqual([503, 'unavailable'])
  expect(await buyOf(edition)).toEqual([201, 'CONFIRMED'])
  withCode(() => new Promise(() => undefined))
  expect(await buyOf(edition)).toEqual([201, 'CONFIRMED'])
  withCode(() => Promise.resolve('0x60')) // a contract, which refuses
  expect(await buyOf(edition)).toEqual([422, 'address_cannot_receive'])
  for (const isPublic of [true, false]) {
    const { collectionId } = await makeItem(organization, { isPublic })
    const whole = await makeListing(organization, { collection_id: collectionId, quantity_listed: 1, ...free })
    expect(await buyOf(whole), `public: ${isPublic}`).toEqual([422, 'address_cannot_receive'])
  }
})

describe('payment after expiry', () => {
  /**
   * An expired purchase; `paid` reports its payment as succeeded, although the provider had acknowledged the
   * cancellation.
   */
  async function makeExpiredPurchase(listing: { id: string }) {
    const { id, secret } = (await buy(listing.id, { buyer: makeAddressBuyer() })).body
    moveClock(31 * 60_000)
    await expirePurchases(worker())
    resetClock()
    const payment = await organization.ctx.db.payment.findFirstOrThrow({ where: { intentId: id } })
    const paid = () =>
      inTransaction(organization.ctx, async (tx) => {
        await tx.db.payment.updateMany({ where: { id: payment.id }, data: { state: 'SUCCEEDED' } })
        await purchasePaid(tx, id, { paymentId: payment.id })
      })
    return { id, secret, paid, payment }
  }

  test('with units left the purchase is delivered', async () => {
    const { id, secret, paid, payment } = await makeExpiredPurchase(await makeListing(organization))
    await paid()
    await drainJobs()
    expect(await readPurchase({ id, secret })).toMatchObject({ status: 'CONFIRMED', fulfillment_status: 'ASSIGNED' })
    await markPaidAtProvider(payment.providerId!)
  })

  test('with no units left the payment is refunded once, and nothing is delivered', async () => {
    const listing = await makeListing(organization)
    const { id, secret, paid, payment } = await makeExpiredPurchase(listing)
    expect((await buy(listing.id)).status).toBe(201)
    await paid()
    await paid().catch(() => undefined)
    expect(await readPurchase({ id, secret })).toMatchObject({ status: 'EXPIRED', fulfillment_status: 'EXCEPTION' })
    expect(await purchaseOf(id)).toMatchObject({
      payment: { state: 'REFUNDING' },
      email_claim_ids: [],
      mint_request_ids: [],
    })
    await organization.ctx.db.payment.updateMany({ where: { id: payment.id }, data: { state: 'CANCELLED' } })
  })

  test('of a cancelled listing is refunded', async () => {
    const listing = await makeListing(organization)
    const { id, paid, payment } = await makeExpiredPurchase(listing)
    expect((await api().delete(`/v1/listings/${listing.id}`)).status).toBe(204)
    await paid()
    expect(await purchaseOf(id)).toMatchObject({ payment: { state: 'REFUNDING' }, fulfillment_status: 'EXCEPTION' })
    await organization.ctx.db.payment.updateMany({ where: { id: payment.id }, data: { state: 'CANCELLED' } })
  })

  const markPaidAtProvider = (id: string) =>
    openSandboxStore().db.sandboxPaymentIntent.updateMany({ where: { id }, data: { status: 'succeeded' } })
})

describe('failures after the payment', () => {
  test('a permanently failed mint is refunded, and the units are on sale again', async () => {
    const listing = await makeListing(organization, EDITION)
    const purchase = await bought(listing.id, { buyer: makeAddressBuyer() })
    const mint = await organization.ctx.db.mintRequest.findFirstOrThrow({ where: { purchaseIntentId: purchase.id } })
    await inTransaction(organization.ctx, (tx) => advanceMint(tx, mint, 'FAILED', { failure: 'The contract refused.' }))
    expect(await readPurchase(purchase)).toMatchObject({
      status: 'CONFIRMED',
      fulfillment_status: 'EXCEPTION',
      failure: 'The contract refused.',
      delivery: { state: 'FAILED' },
    })
    await drainJobs()
    await deliverCardEvents()
    expect(await readPurchase(purchase)).toMatchObject({ status: 'REFUNDED', fulfillment_status: 'EXCEPTION' })
    expect(await listingOf(listing.id)).toMatchObject({ quantity_confirmed: 0, quantity_remaining: 20 })
    const events = await organization.ctx.db.event.findMany({ where: { key: purchase.id }, orderBy: { id: 'asc' } })
    expect(events.map(({ type }) => type)).toEqual(['purchase.confirmed', 'purchase.refunded'])
  })

  test('a permanently failed free mint cancels the purchase without a refund', async () => {
    const listing = await makeListing(organization, { ...FREE_PRICE, payment_providers: ['ORGANIZATION'] })
    const { body } = await buy(listing.id, { buyer: makeAddressBuyer() })
    const mint = await organization.ctx.db.mintRequest.findFirstOrThrow({ where: { purchaseIntentId: body.id } })
    await inTransaction(organization.ctx, (tx) => advanceMint(tx, mint, 'FAILED', { failure: 'The contract refused.' }))
    await drainJobs()
    expect(await readPurchase(body)).toMatchObject({ status: 'CANCELLED', fulfillment_status: 'EXCEPTION' })
  })

  test('a submitted mint can’t be refunded; a delivered one can, and stays delivered', async () => {
    const purchase = await bought((await makeListing(organization, EDITION)).id, { buyer: makeAddressBuyer() })
    const row = await organization.ctx.db.mintRequest.findFirstOrThrow({ where: { purchaseIntentId: purchase.id } })
    const advance = (from: 'WAITING' | 'SUBMITTED' | 'COMPLETED', to: 'SUBMITTED' | 'COMPLETED') =>
      inTransaction(organization.ctx, (tx) => advanceMint(tx, { ...row, state: from }, to, { txHash: '0x01' }))
    await advance('WAITING', 'SUBMITTED')
    const refused = await api().post(`/v1/purchase-intents/${purchase.id}/refund`, {})
    expect([refused.status, refused.body.code]).toEqual([409, 'mint_in_flight'])
    expect((await api().post(`/v1/transactions/${row.transactionId}/cancel`, {})).body.code).toBe('transaction_in_use')
    await advance('SUBMITTED', 'COMPLETED')
    expect(await readPurchase(purchase)).toMatchObject({
      fulfillment_status: 'COMPLETED',
      delivery: { state: 'CONFIRMED' },
    })
    await advance('COMPLETED', 'SUBMITTED')
    expect(await readPurchase(purchase)).toMatchObject({ fulfillment_status: 'ASSIGNED', completed_at: null })
    await advance('SUBMITTED', 'COMPLETED')
    expect((await api().post(`/v1/purchase-intents/${purchase.id}/refund`, {})).status).toBe(200)
    await deliverCardEvents()
    await deliverCardEvents()
    expect(await readPurchase(purchase)).toMatchObject({ status: 'REFUNDED', fulfillment_status: 'COMPLETED' })
    const fulfilled = await organization.ctx.db.event.count({ where: { key: purchase.id, type: 'purchase.fulfilled' } })
    expect(fulfilled).toBe(1)
  })

  test('a dispute makes the purchase UNRESOLVED with an alarm, and it can’t be refunded', async () => {
    const purchase = await bought((await makeListing(organization, EDITION)).id, { buyer: makeAddressBuyer() })
    const { payment } = await purchaseOf(purchase.id)
    await openDispute(openSandboxStore(), payment.provider_payment_id)
    await deliverCardEvents()
    expect(await purchaseOf(purchase.id)).toMatchObject({
      status: 'UNRESOLVED',
      fulfillment_status: 'EXCEPTION',
      payment: { state: 'DISPUTED' },
      refundable: false,
    })
    expect((await api().post(`/v1/purchase-intents/${purchase.id}/refund`, {})).body.code).toBe('not_refundable')
    expect(
      await organization.ctx.db.alarm.count({
        where: { kind: 'purchase_unresolved', subject: purchase.id, resolvedAt: null },
      }),
    ).toBe(1)
  })

  test('a stuck refund makes the purchase UNRESOLVED with its reason', async () => {
    const purchase = await bought((await makeListing(organization, EDITION)).id, { buyer: makeAddressBuyer() })
    await inTransaction(organization.ctx, (tx) => refundStuck(tx, purchase.id, 'The account has no balance.'))
    expect(await purchaseOf(purchase.id)).toMatchObject({
      status: 'UNRESOLVED',
      failure: 'The account has no balance.',
    })
  })
})

describe('claims of purchases', () => {
  test('a free claim unopened for three days returns its unit to the listing; an opened one doesn’t', async () => {
    const listing = await makeListing(organization, {
      ...FREE_PRICE,
      item: { tokenType: 'ERC1155', maxSupply: 2n },
      quantity_listed: 2,
      payment_providers: ['EMAIL_CLAIM'],
    })
    const [first, second] = [(await buy(listing.id)).body, (await buy(listing.id)).body]
    await organization.ctx.db.emailClaim.updateMany({
      where: { purchaseIntentId: second.id },
      data: { openedAt: new Date() },
    })
    moveClock(73 * HOUR * 1000)
    await returnUnopened(worker())
    expect(await readPurchase(first)).toMatchObject({ status: 'EXPIRED', fulfillment_status: 'EXCEPTION' })
    expect(await readPurchase(second)).toMatchObject({ status: 'CONFIRMED' })
    expect((await organization.ctx.db.listing.findFirstOrThrow({ where: { id: listing.id } })).quantityConfirmed).toBe(
      1n,
    )
  })

  test('a paid claim locked by wrong PINs reopens after a day, with a new mail', async () => {
    const purchase = await bought((await makeListing(organization)).id)
    const claim = await organization.ctx.db.emailClaim.findFirstOrThrow({ where: { purchaseIntentId: purchase.id } })
    await organizationContext(organization.id).db.emailClaim.updateMany({
      where: { id: claim.id },
      data: { state: 'LOCKED', wrongPins: 20 },
    })
    await liftLocks(worker())
    expect((await organization.ctx.db.emailClaim.findFirstOrThrow({ where: { id: claim.id } })).state).toBe('LOCKED')
    moveClock(25 * HOUR * 1000)
    // The buyer's own mail doesn't wait for the quota of an organization that isn't approved yet.
    const quota = env.NEWCOMER_MAILS_PER_DAY
    const approve = async () => {
      env.NEWCOMER_MAILS_PER_DAY = quota
      await systemClient().organization.update({ where: { id: organization.id }, data: { newcomerSince: null } })
    }
    onTestFinished(approve)
    env.NEWCOMER_MAILS_PER_DAY = 0
    await systemClient().organization.update({ where: { id: organization.id }, data: { newcomerSince: now() } })
    await liftLocks(worker())
    await approve()
    expect(await organization.ctx.db.emailClaim.findFirstOrThrow({ where: { id: claim.id } })).toMatchObject({
      state: 'OPEN',
      wrongPins: 0,
    })
    expect(
      await organization.ctx.db.outboxMessage.count({ where: { claimId: claim.id, templateType: 'REDEEM_NFT' } }),
    ).toBe(2)
  })
})

test('a purchase of a collection gets the lowest token ids, with one claim per unit', async () => {
  const { collectionId, itemId } = await makeItem(organization, { tokenType: 'ERC721' })
  for (const tokenId of ['2', '10'])
    await organization.ctx.db.item.create({
      data: {
        id: newId(),
        organizationId: organization.id,
        collectionId,
        attributes: { title: tokenId },
        tokenId,
        lockedAt: new Date(),
        maxSupply: 1n,
      },
    })
  await organization.ctx.sql((await import('../../generated/prisma/client.ts')).Prisma.sql`
    UPDATE collections c SET pool_free = (SELECT sum(free_units(i)) FROM items i WHERE i.collection_id = c.id) WHERE id = ${collectionId}::uuid`)
  const listing = await makeListing(organization, {
    collection_id: collectionId,
    quantity_listed: 3,
    max_quantity_per_tx: 2,
  })
  const created = (await buy(listing.id, { quantity: 2 })).body
  expect(created.units.map((unit: any) => unit.token_id).sort()).toEqual(['1', '2'])
  await pay(created.data)
  await deliverCardEvents()
  const claims = await organization.ctx.db.emailClaim.findMany({ where: { purchaseIntentId: created.id } })
  expect(claims.map((claim) => claim.itemId)).toContain(itemId)
  expect(claims).toHaveLength(2)
  const other = (await buy(listing.id, { buyer: { eth_address: makeRandomAddress() } })).body
  expect(other.units[0].token_id).toBe('10')
})

test('purchases are filtered by item, collection, listing, buyer and status', async () => {
  const listing = await makeListing(organization, EDITION)
  const addressBuyer = makeAddressBuyer()
  const { body } = await buy(listing.id, { buyer: { ...addressBuyer, email: 'finder@example.com' } })
  const found = async (query: string) =>
    (await api().get(`/v1/purchase-intents?${query}`)).body.results.map((row: any) => row.id)
  for (const query of [
    `item_id=${listing.item_id}`,
    `collection_id=${listing.collection_id ?? ''}&listing_id=${listing.id}`,
    'email=finder@example.com',
    `eth_address=${addressBuyer.eth_address}`,
  ])
    expect(await found(query)).toEqual([body.id])
  const all = `listing_id=${listing.id}`
  expect(
    await found(
      `${all}&status=PENDING&fulfillment_status=PENDING&fulfillment_method=TRANSFER&payment_provider=CARD_PROVIDER`,
    ),
  ).toEqual([body.id])
  expect(await found(`${all}&status=CONFIRMED`)).toEqual([])
})
