import { beforeAll, beforeEach, afterEach, describe, expect, test } from 'vitest'
import { moveClock, resetClock } from '../../lib/core/clock.ts'
import { verifyRecords } from '../../lib/data/reconciliation/verify-records.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import { expirePurchases } from '../../lib/selling/purchases/expire-purchases.ts'
import { callerOf } from '../support/call.ts'
import { installFakeChain } from '../support/claims.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import {
  makeBuyer,
  makeAddressBuyer,
  buy,
  connectCards,
  deliverCardEvents,
  FREE_PRICE,
  cancelPurchase,
  makeListing,
  pay,
  readPurchase,
} from '../support/selling.ts'

let organization: TestOrganization
const api = () => callerOf(organization.key)

beforeAll(async () => {
  installFakeChain()
  organization = await makeOrganization()
  await connectCards(organization)
})
beforeEach(resetClock)
afterEach(async () => expect(await verifyRecords(systemContext('test'))).toEqual([]))

const listingOf = async (id: string) => (await api().get(`/v1/listings/${id}`)).body
const holdsOf = async (itemId: string) =>
  (await api().get(`/v1/items/${itemId}/holds`)).body.results.map((hold: any) => [hold.holder_type, hold.quantity])

describe('purchases by card', () => {
  test('a purchase that is reserved, paid and minted has its hold moved from the listing to itself and to the mint request', async () => {
    const listing = await makeListing(organization)
    const created = await buy(listing.id, { buyer: { ...makeAddressBuyer(), ...makeBuyer() } })
    expect(created.status, JSON.stringify(created.body)).toBe(201)
    expect(created.body).toMatchObject({
      status: 'PENDING',
      fulfillment_status: 'PENDING',
      fulfillment_method: 'TRANSFER',
      provider: 'CARD_PROVIDER',
      price: '1999',
      data: { mode: 'TEST', session_id: created.body.id, provider_price: { currency: 'USD', price: '1999' } },
      delivery: { state: 'NOT_STARTED' },
    })
    expect(await holdsOf(listing.item_id)).toContainEqual(['PURCHASE', 1])
    expect(await listingOf(listing.id)).toMatchObject({ quantity_open: 1, quantity_remaining: 0, sold_out: true })
    expect((await pay(created.body.data)).body.status).toBe('succeeded')
    await deliverCardEvents()
    const state = await readPurchase(created.body)
    expect(state).toMatchObject({
      status: 'CONFIRMED',
      fulfillment_status: 'ASSIGNED',
      delivery: { state: 'QUEUED' },
      data: null,
    })
    expect(state.timeline.map((entry: any) => [entry.status, entry.fulfillment_status])).toEqual([
      ['PENDING', 'PENDING'],
      ['CONFIRMED', 'PENDING'],
      ['CONFIRMED', 'ASSIGNED'],
    ])
    expect(await holdsOf(listing.item_id)).toEqual([['MINT_REQUEST', 1]])
    expect(await listingOf(listing.id)).toMatchObject({ status: 'COMPLETE', quantity_confirmed: 1, quantity_open: 0 })
  })

  test('a buyer with an email gets a claim without expiry, and a receipt', async () => {
    const listing = await makeListing(organization)
    const { body } = await buy(listing.id)
    await pay(body.data)
    await deliverCardEvents()
    const claim = await organization.ctx.db.emailClaim.findFirstOrThrow({ where: { purchaseIntentId: body.id } })
    expect(claim).toMatchObject({ expiresAt: null, state: 'OPEN', quantity: 1n })
    expect(await holdsOf(listing.item_id)).toEqual([['CLAIM', 1]])
    const mails = await organization.ctx.db.outboxMessage.findMany({
      where: { toEmail: claim.email },
      orderBy: { id: 'asc' },
    })
    expect(mails.map(({ templateType }) => templateType)).toEqual(['RECEIPT', 'REDEEM_NFT'])
  })

  test('an unpaid purchase expires after 30 minutes, its units are on sale again, and it can’t be paid', async () => {
    const listing = await makeListing(organization)
    const first = (await buy(listing.id)).body
    moveClock(31 * 60_000)
    await expirePurchases(systemContext('test'))
    expect(await readPurchase(first)).toMatchObject({ status: 'EXPIRED', data: null })
    expect(await listingOf(listing.id)).toMatchObject({ status: 'ACTIVE', quantity_open: 0, quantity_remaining: 1 })
    expect(await holdsOf(listing.item_id)).toEqual([['LISTING', 1]])
    expect((await pay(first.data)).status).not.toBe(200)
  })

  test('an open purchase can be cancelled, a paid one can’t', async () => {
    const listing = await makeListing(organization)
    const first = (await buy(listing.id)).body
    expect((await cancelPurchase(first)).status).toBe(204)
    expect((await cancelPurchase(first)).status).toBe(204)
    expect(await readPurchase(first)).toMatchObject({ status: 'CANCELLED' })
    expect((await api().get(`/v1/purchase-intents/${first.id}`)).body.payment).toBeNull()
    const second = (await buy(listing.id)).body
    await pay(second.data)
    expect((await cancelPurchase(second)).body.code).toBe('purchase_confirmed')
    expect(await readPurchase(second)).toMatchObject({ status: 'CONFIRMED' })
  })

  test('a refund before delivery cancels the mint and returns the units once', async () => {
    const listing = await makeListing(organization, {
      item: { tokenType: 'ERC1155', maxSupply: 3n },
      quantity_listed: 3,
    })
    const { body } = await buy(listing.id, { buyer: { ...makeAddressBuyer() } })
    await pay(body.data)
    await deliverCardEvents()
    const refunded = await api().post(`/v1/purchase-intents/${body.id}/refund`, {})
    expect(refunded.body, JSON.stringify(refunded.body)).toMatchObject({
      status: 'CONFIRMED',
      fulfillment_status: 'EXCEPTION',
      payment: { state: 'REFUNDING' },
    })
    await deliverCardEvents()
    await deliverCardEvents()
    expect(await readPurchase(body)).toMatchObject({ status: 'REFUNDED' })
    expect(await listingOf(listing.id)).toMatchObject({
      quantity_confirmed: 0,
      quantity_open: 0,
      quantity_remaining: 3,
    })
    expect(await holdsOf(listing.item_id)).toEqual([['LISTING', 3]])
    expect((await api().post(`/v1/purchase-intents/${body.id}/refund`, {})).body.code).toBe('not_refundable')
  })

  test('revoking a paid claim refunds its purchase', async () => {
    const listing = await makeListing(organization)
    const { body } = await buy(listing.id)
    await pay(body.data)
    await deliverCardEvents()
    const { body: purchase } = await api().get(`/v1/purchase-intents/${body.id}`)
    expect((await api().delete(`/v1/email-claims/${purchase.email_claim_ids[0]}`)).status).toBe(204)
    expect((await api().get(`/v1/purchase-intents/${body.id}`)).body.payment.state).toBe('REFUNDING')
    await deliverCardEvents()
    await deliverCardEvents()
    expect(await readPurchase(body)).toMatchObject({ status: 'REFUNDED', fulfillment_status: 'EXCEPTION' })
  })
})

describe('free purchases', () => {
  test('a purchase by email makes a claim at once, after a proof of work', async () => {
    const listing = await makeListing(organization, { ...FREE_PRICE, payment_providers: ['EMAIL_CLAIM'] })
    const created = await buy(listing.id)
    expect(created.body, JSON.stringify(created.body)).toMatchObject({
      status: 'CONFIRMED',
      fulfillment_status: 'ASSIGNED',
      fulfillment_method: 'EMAIL',
      data: { email_hint: 'b•••@e•••.com' },
    })
    expect(await holdsOf(listing.item_id)).toEqual([['CLAIM', 1]])
  })

  test.each(['ORGANIZATION', 'BETA_FREE_MINT'])(
    'a purchase with %s is minted to the address at once',
    async (provider) => {
      const listing = await makeListing(organization, { ...FREE_PRICE, payment_providers: [provider] })
      const created = await buy(listing.id, { buyer: makeAddressBuyer() })
      expect(created.body, JSON.stringify(created.body)).toMatchObject({
        status: 'CONFIRMED',
        fulfillment_status: 'ASSIGNED',
        fulfillment_method: 'TRANSFER',
        data: null,
        delivery: { state: 'QUEUED' },
      })
      expect((await api().post(`/v1/purchase-intents/${created.body.id}/refund`, {})).body.code).toBe('not_refundable')
    },
  )
})

test('a purchase shows the first hundred entries of its timeline, alone and in the list', async () => {
  const listing = await makeListing(organization)
  const { id, secret } = (await buy(listing.id)).body
  const entry = { subjectType: 'purchase_intent', subjectId: id, action: 'purchase_intent.advanced' }
  const { id: _, ...last } = await organization.ctx.db.auditEntry.findFirstOrThrow({
    where: { subjectId: id, action: 'purchase_intent.created' },
  })
  await systemClient().auditEntry.createMany({
    data: Array.from({ length: 120 }, () => ({ ...last, ...entry, id: newId(), before: {}, after: last.after! })) as [],
  })
  const { timeline } = await readPurchase({ id, secret })
  const listed = (await callerOf(organization.key).get('/v1/purchase-intents')).body.results
  expect([timeline.length, listed.find((each: { id: string }) => each.id === id).timeline.length]).toEqual([100, 100])
})

test('the same Idempotency-Key returns the same purchase, and a wrong secret is not_found', async () => {
  const listing = await makeListing(organization, { item: { tokenType: 'ERC1155', maxSupply: 3n }, quantity_listed: 3 })
  const headers = { 'idempotency-key': newId() }
  const buyer = makeBuyer()
  const [first, second] = [await buy(listing.id, { buyer }, headers), await buy(listing.id, { buyer }, headers)]
  expect(second.body).toEqual(first.body)
  expect(await listingOf(listing.id)).toMatchObject({ quantity_open: 1 })
  expect((await readPurchase({ id: first.body.id, secret: 'x'.repeat(43) })).code).toBe('not_found')
})
