import { beforeAll, expect, test } from 'vitest'
import { findStoppedListings, findVoucherListings } from '../../lib/offers/listings/find-voucher-listings.ts'
import { findAttention } from '../../lib/data/analytics/find-attention.ts'
import { suspend } from '../../lib/data/abuse/suspend.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import { call, callerOf } from '../support/call.ts'
import { installFakeChain, makeItem, makeRandomAddress } from '../support/claims.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { connectCards, FREE_PRICE, makeListing } from '../support/selling.ts'

const BY_VOUCHER = { price: 1000, currency: 'ETH', payment_providers: ['MINT_VOUCHER'] }
const FREE = { ...FREE_PRICE, payment_providers: ['ORGANIZATION'] }

beforeAll(() => void installFakeChain())

const shown = async (id: string) => (await call('GET', `/public/v1/listings/${id}`)).body
const eligibility = async (id: string) =>
  (await call('GET', `/public/v1/listings/redemption-eligibility?listing_id=${id}`)).body
const buy = async (listing_id: string) =>
  call('POST', '/public/v1/purchase-intents', {
    body: { buyer: { eth_address: makeRandomAddress() }, listing_id },
    headers: { 'idempotency-key': newId() },
  })
const setPayout = async (organization: TestOrganization, payout_address: string | null) =>
  (await callerOf(organization.key).patch(`/v1/organizations/${organization.id}`, { payout_address })).body

/** What a listing, the eligibility and a purchase say: the same reason, and a refusal. */
async function expectClosed(id: string, reason: string, code: string) {
  expect(await eligibility(id)).toMatchObject({
    is_eligible: false,
    reason,
    reason_detail: expect.stringMatching(/\.$/),
  })
  const alone = await shown(id)
  expect(alone.reason).toBe(reason)
  const { body } = await call('GET', `/public/v1/listings?organization_id=${alone.organization_id}`)
  expect(body.results.find((listed: { id: string }) => listed.id === id)).toEqual(alone)
  expect((await buy(id)).body.code).toBe(code)
}

test('a listing has the title and the picture of its item, or the name and the picture of its collection, and its checkout page', async () => {
  const organization = await makeOrganization()
  const image_url = 'https://pictures.example/moon.png'
  const { itemId } = await makeItem(organization)
  const ofItem = await makeListing(organization, { ...FREE, item_id: itemId })
  await organization.ctx.db.item.updateMany({
    where: { id: itemId },
    data: { attributes: { title: 'Moon', image_url } },
  })
  const { collectionId } = await makeItem(organization)
  await organization.ctx.db.collection.updateMany({
    where: { id: collectionId },
    data: { name: 'Skies', imageUrl: 'https://pictures.example/sky.png' },
  })
  const ofCollection = await makeListing(organization, { ...FREE, collection_id: collectionId })
  const list = await call('GET', `/public/v1/listings?organization_id=${organization.id}`)
  const pictureOf = (url: string) => ({ cid: null, full: url, original: url, thumb: url, tiny: url })
  expect(list.body.results).toMatchObject([
    { title: 'Skies', image: pictureOf('https://pictures.example/sky.png') },
    { title: 'Moon', image: pictureOf(image_url), checkout_url: `http://localhost:3000/l/${ofItem.id}`, reason: null },
  ])
  expect(list.body.results).toEqual([await shown(ofCollection.id), await shown(ofItem.id)])
})

test('without a payout address what is sold by voucher pauses, with its reason everywhere, until it is put on sale again', async () => {
  const organization = await makeOrganization()
  const address = makeRandomAddress()
  expect((await setPayout(organization, address)).payout_warnings).toEqual([])
  const [active, free] = [await makeListing(organization, BY_VOUCHER), await makeListing(organization, FREE)]
  const later = await makeListing(organization, { ...BY_VOUCHER, start_time: '2060-01-01T00:00:00Z' })
  const { payout_warnings } = await setPayout(organization, null)
  expect(payout_warnings).toMatchObject([{ listing_id: later.id }, { listing_id: active.id, network_id: 31337 }])
  expect(payout_warnings[1].detail).toMatch(/is paused: without a payout address/)
  const api = callerOf(organization.key)
  expect((await api.get(`/v1/organizations/${organization.id}`)).body.payout_warnings).toEqual(payout_warnings)
  const named = (await findAttention(organization.ctx)).filter(({ kind }) => kind === 'payout')
  expect(named.map(({ detail }) => detail)).toEqual(payout_warnings.map(({ detail }: { detail: string }) => detail))
  for (const { id } of [active, later]) expect((await shown(id)).status).toBe('PAUSED')
  expect(await organization.ctx.db.hold.count({ where: { holderId: active.id, state: 'HELD' } })).toBe(0)
  expect(await shown(free.id)).toMatchObject({ status: 'ACTIVE', reason: null })
  await expectClosed(active.id, 'PAYOUT_ADDRESS_MISSING', 'payout_address_missing')

  expect((await setPayout(organization, address)).payout_warnings).toEqual([])
  expect((await eligibility(active.id)).reason).toBe('PAUSED')
  expect((await api.patch(`/v1/listings/${active.id}`, { status: 'ACTIVE' })).status).toBe(200)
  expect((await eligibility(active.id)).is_eligible).toBe(true)
  expect((await buy(active.id)).status).toBe(201)
})

test('what paused with the payout address is named until it is resumed, and what somebody paused isn’t', async () => {
  const organization = await makeOrganization()
  const { ctx } = organization
  const api = callerOf(organization.key)
  await setPayout(organization, makeRandomAddress())
  const [one, other, byHand] = [
    await makeListing(organization, BY_VOUCHER),
    await makeListing(organization, BY_VOUCHER),
    await makeListing(organization, BY_VOUCHER),
  ]
  await makeListing(organization, FREE)
  const move = (id: string, status: string) => api.patch(`/v1/listings/${id}`, { status })
  expect((await move(byHand.id, 'PAUSED')).status).toBe(200)
  const named = async (find: typeof findStoppedListings) => (await find(ctx)).map(({ id }) => id)
  expect(await named(findVoucherListings)).toEqual([other.id, one.id])
  expect(await named(findStoppedListings)).toEqual([])
  await setPayout(organization, null)
  await setPayout(organization, makeRandomAddress())
  expect(await named(findVoucherListings)).toEqual([])
  expect(await named(findStoppedListings)).toEqual([other.id, one.id])
  expect((await move(one.id, 'ACTIVE')).status).toBe(200)
  expect((await move(one.id, 'PAUSED')).status).toBe(200)
  expect(await named(findStoppedListings)).toEqual([other.id])
})

test('a listing on sale that can’t be paid is eligible for nobody: without a payout address, without a card account, and suspended', async () => {
  const organization = await makeOrganization()
  await setPayout(organization, makeRandomAddress())
  await connectCards(organization)
  const [byVoucher, byCard, free] = [
    await makeListing(organization, BY_VOUCHER),
    await makeListing(organization),
    await makeListing(organization, FREE),
  ]
  for (const { id } of [byVoucher, byCard, free])
    expect([(await shown(id)).reason, (await eligibility(id)).is_eligible]).toEqual([null, true])
  const db = systemClient()
  await db.organization.update({ where: { id: organization.id }, data: { payoutAddress: null } })
  await db.paymentIntegration.updateMany({ where: { organizationId: organization.id }, data: { status: 'RESTRICTED' } })
  await expectClosed(byVoucher.id, 'PAYOUT_ADDRESS_MISSING', 'payout_address_missing')
  await expectClosed(byCard.id, 'PROVIDER_NOT_CONFIGURED', 'provider_not_configured')
  expect((await eligibility(free.id)).is_eligible).toBe(true)
  await suspend(systemContext('test'), { organizationId: organization.id, collectionId: null }, 'Reported.')
  await expectClosed(free.id, 'SUSPENDED', 'suspended')
})
