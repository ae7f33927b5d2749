import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'

// All buyers come from one client here, so the limits on open purchases are off.
vi.hoisted(() => Object.assign(process.env, { OPEN_INTENTS_PER_BUYER: '0', OPEN_INTENTS_PER_CLIENT: '0' }))

import { suspend } from '../../lib/data/abuse/suspend.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { beginIdempotent } from '../../lib/platform/http/idempotency.ts'
import { moveClock, now, resetClock, secondsFrom } from '../../lib/core/clock.ts'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import { type ApiResponse, call } from '../support/call.ts'
import { installFakeChain, makeRandomAddress } from '../support/claims.ts'
import { countRoundTrips } from '../support/count-round-trips.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { FREE_PRICE, makeListing, setPayoutAddress } from '../support/selling.ts'
import { leaveDisagreements } from '../support/verify-file.ts'

leaveDisagreements('Listings are put into each status by hand.', 'a listing on sale holds what it can still sell')

const PATH = '/public/v1/purchase-intents'
const FREE = { ...FREE_PRICE, payment_providers: ['BETA_FREE_MINT'] }
const BY_VOUCHER = { price: 1000, currency: 'ETH', payment_providers: ['MINT_VOUCHER'] }

let organization: TestOrganization
beforeAll(async () => {
  installFakeChain()
  organization = await makeOrganization()
  await setPayoutAddress(organization)
})
afterEach(resetClock)

const bodyOf = (listingId: string, more: object = {}) => ({
  buyer: { eth_address: makeRandomAddress() },
  listing_id: listingId,
  ...more,
})
const order = (body: object, key: string | null): Promise<ApiResponse> =>
  call('POST', PATH, {
    body,
    headers: { 'request-id': 'one-request', ...(key !== null && { 'idempotency-key': key }) },
  })
const buy = (listingId: string, more: object = {}) => order(bodyOf(listingId, more), newId())
const recordsOf = (key: string) => systemClient().idempotencyRecord.count({ where: { key } })
const listingOf = async (terms: Record<string, unknown> = FREE): Promise<string> =>
  (await makeListing(organization, terms)).id

async function makeSoldOut(): Promise<string> {
  const id = await listingOf()
  expect((await buy(id)).status).toBe(201)
  return id
}

describe('a purchase of what is sold out', () => {
  test('is refused by one round trip that writes nothing', async () => {
    const [id, key] = [await makeSoldOut(), newId()]
    const { result, roundTrips } = await countRoundTrips(() => order(bodyOf(id), key))
    expect([result.status, result.body.code]).toEqual([409, 'sold_out'])
    expect(roundTrips).toHaveLength(1)
    expect(roundTrips[0]).not.toMatch(/INSERT|UPDATE|DELETE/)
    expect(await recordsOf(key)).toBe(0)
  })

  test('is refused together with others that come at once, in one round trip', async () => {
    const id = await makeSoldOut()
    const { result, roundTrips } = await countRoundTrips(() => Promise.all(Array.from({ length: 60 }, () => buy(id))))
    expect(result.every(({ body }) => body.code === 'sold_out')).toBe(true)
    expect(roundTrips).toHaveLength(1)
  })

  test('is refused beside a purchase of the same moment that succeeds', async () => {
    const [gone, free] = [await makeSoldOut(), await listingOf()]
    const answers = await Promise.all([buy(gone), buy(free), buy(gone)])
    expect(answers.map(({ status }) => status)).toEqual([409, 201, 409])
  })
})

test('a purchase takes no more round trips with the early refusal than four', async () => {
  const id = await listingOf({ ...FREE, item: { tokenType: 'ERC1155', maxSupply: 3n }, quantity_listed: 3 })
  await buy(id)
  const { result, roundTrips } = await countRoundTrips(() => buy(id))
  expect(result.status).toBe(201)
  expect(roundTrips.length).toBeLessThanOrEqual(4)
})

describe('what is refused early gets the problem that it gets without an Idempotency-Key', () => {
  const update = (data: object) => async (id: string) =>
    void (await organization.ctx.db.listing.updateMany({ where: { id }, data }))
  test.each<[string, (id: string) => Promise<void>, string, object?]>([
    ['paused', update({ status: 'PAUSED' }), 'listing_not_active'],
    ['cancelled', update({ status: 'CANCELLED' }), 'listing_not_active'],
    ['ended, but still active in the books', update({ endsAt: secondsFrom(now(), -1) }), 'listing_not_active'],
    ['not begun', update({ startsAt: secondsFrom(now(), 3600), status: 'SCHEDULED' }), 'listing_not_active'],
    ['more than is left', async () => undefined, 'sold_out', { quantity: 2 }],
    [
      'by a way that isn’t offered',
      update({ status: 'PAUSED' }),
      'provider_not_offered',
      { provider: 'CARD_PROVIDER' },
    ],
    ['more than may be bought at once', update({ status: 'PAUSED' }), 'quantity_invalid', { quantity: 500 }],
  ])('the answers agree for %s', async (_, change, code, more = {}) => {
    const id = await listingOf({ ...FREE, item: { tokenType: 'ERC1155', maxSupply: 5n }, max_quantity_per_tx: 10 })
    await change(id)
    const body = bodyOf(id, more)
    const without = await order(body, null)
    const key = newId()
    const { result, roundTrips } = await countRoundTrips(() => order(body, key))
    expect([result.status, result.body]).toEqual([without.status, without.body])
    expect(result.body.code).toBe(code)
    expect(roundTrips).toHaveLength(1)
  })

  test('the answers agree for a suspended organization', async () => {
    const { id, collection_id } = await makeListing(organization, FREE)
    await suspend(systemContext('test'), { organizationId: organization.id, collectionId: collection_id }, 'Reported.')
    const { result, roundTrips } = await countRoundTrips(() => buy(id))
    expect([result.body.code, roundTrips.length]).toEqual(['suspended', 1])
  })

  test('nothing is told of a draft, of a collection that isn’t deployed, and of an unknown listing', async () => {
    const draft = await listingOf()
    await organization.ctx.db.listing.updateMany({ where: { id: draft }, data: { status: 'DRAFT' } })
    const { id: undeployed, collection_id } = await makeListing(organization, FREE)
    await organization.ctx.db.collection.updateMany({
      where: { id: collection_id },
      data: { deploymentStatus: 'PENDING' },
    })
    await organization.ctx.db.listing.updateMany({ where: { id: undeployed }, data: { status: 'PAUSED' } })
    for (const id of [draft, undeployed, newId()]) {
      const { status, body } = await buy(id)
      expect([status, body.code]).toEqual([404, 'not_found'])
    }
  })
})

test('a listing that begins is sold from that moment on', async () => {
  const id = await listingOf({ ...FREE, start_time: secondsFrom(now(), 60).toISOString() })
  expect((await buy(id)).body.code).toBe('listing_not_active')
  moveClock(61_000)
  expect((await buy(id)).status).toBe(201)
})

describe('a request whose purchase sold the last unit', () => {
  test('gets its stored answer when it is repeated', async () => {
    const [id, key] = [await listingOf(), newId()]
    const body = bodyOf(id)
    const first = await order(body, key)
    const again = await order(body, key)
    expect([again.status, again.headers.get('idempotent-replayed'), again.body]).toEqual([201, 'true', first.body])
  })

  test('is told that the key was used, when it is repeated with another body', async () => {
    const [id, key] = [await listingOf(), newId()]
    expect((await order(bodyOf(id), key)).status).toBe(201)
    expect((await order(bodyOf(id), key)).body.code).toBe('idempotency_mismatch')
  })

  test('finds its purchase when its record is gone', async () => {
    const [id, key] = [await listingOf(), newId()]
    const body = bodyOf(id)
    const first = await order(body, key)
    await systemClient().idempotencyRecord.deleteMany({ where: { key } })
    const again = await order(body, key)
    expect([again.status, again.body.id]).toEqual([201, first.body.id])
  })

  test('never hears that it is sold out, however many times it comes at once', async () => {
    for (let round = 0; round < 5; round++) {
      const [id, key] = [await listingOf(), newId()]
      const body = bodyOf(id)
      const rivals = Array.from({ length: 5 }, () => buy(id))
      const own = await Promise.all(Array.from({ length: 20 }, () => order(body, key)))
      const sold = (await Promise.all(rivals)).filter(({ status }) => status === 201).length
      const codes = new Set(own.map(({ status, body: { code } }) => code ?? status))
      if (codes.has(201))
        expect([...codes].filter((code) => code !== 201 && code !== 'idempotency_in_flight')).toEqual([])
      expect(sold + (codes.has(201) ? 1 : 0)).toBe(1)
    }
  })
})

test('a request in work is in flight for its repeat, and its key is not free for another body, though all is sold out', async () => {
  const [id, key] = [await makeSoldOut(), newId()]
  const body = bodyOf(id)
  await beginIdempotent(`keyless POST ${PATH}`, key, `${PATH}\n${JSON.stringify(body)}`)
  expect((await order(body, key)).body.code).toBe('idempotency_in_flight')
  expect((await order(bodyOf(id), key)).body.code).toBe('idempotency_mismatch')
})

describe('the open voucher purchase that holds the last unit', () => {
  test('is found for its address, with another key, and for nobody else', async () => {
    const id = await listingOf(BY_VOUCHER)
    const buyer = { eth_address: makeRandomAddress() }
    const first = await order({ buyer, listing_id: id }, newId())
    const again = await order({ buyer, listing_id: id }, newId())
    expect([first.status, again.status, again.body.id, again.body.secret]).toEqual([201, 201, first.body.id, null])
    expect((await buy(id)).body.code).toBe('sold_out')
  })

  test('refuses another quantity by its own name', async () => {
    const id = await listingOf({
      ...BY_VOUCHER,
      item: { tokenType: 'ERC1155', maxSupply: 2n },
      quantity_listed: 2,
      max_quantity_per_tx: 2,
    })
    const buyer = { eth_address: makeRandomAddress() }
    expect((await order({ buyer, listing_id: id, quantity: 2 }, newId())).status).toBe(201)
    expect((await order({ buyer, listing_id: id, quantity: 1 }, newId())).body.code).toBe('purchase_open')
  })

  test('counts no more once it has expired', async () => {
    const id = await listingOf(BY_VOUCHER)
    const buyer = { eth_address: makeRandomAddress() }
    const first = await order({ buyer, listing_id: id }, newId())
    moveClock(Date.parse(first.body.expires_at) - now().getTime() + 1000)
    expect((await order({ buyer, listing_id: id }, newId())).body.code).toBe('sold_out')
  })
})
