import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { moveClock, now, resetClock, secondsFrom } from '../../lib/core/clock.ts'
import { newId } from '../../lib/core/id.ts'
import { workerContext } from '../../lib/platform/auth/authenticate.ts'
import { KeptBodies, keptBodies, type KeptBody } from '../../lib/platform/http/hot/kept-bodies.ts'
import { suspend, unsuspend } from '../../lib/data/abuse/suspend.ts'
import { asOwner } from '../support/as-owner.ts'
import { installFakeChain, makeRandomAddress } from '../support/claims.ts'
import { countRoundTrips } from '../support/count-round-trips.ts'
import { askBothWays, askDirectly, askHandler, bodyOf } from '../support/direct.ts'
import { makeListing, makePool } from '../support/listings.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { leaveDisagreements } from '../support/verify-file.ts'

leaveDisagreements('Items are deleted by hand, to be noticed.', 'a pool is what its collection’s items leave')

let mine: TestOrganization
let collectionId: string
let itemIds: string[]
let listingId: string

beforeAll(async () => {
  installFakeChain()
  mine = await makeOrganization()
  ;({ collectionId, itemIds } = await makePool(mine, 3))
  listingId = (await makeListing(mine, { item_id: itemIds[0]!, units: 1n })).id
})
afterEach(resetClock)

const itemUrl = (id = itemIds[0]!) => `/public/v1/items/${id}`
const listingUrl = (id = listingId) => `/public/v1/listings/${id}`
const collectionUrl = (id = collectionId) => `/public/v1/collections/${id}`
const listUrl = () => `/public/v1/items?collection_ids=${collectionId}`
const metadataUrl = () => `/public/v1/metadata/${collectionId}/1`
const historyUrl = () => `${itemUrl()}/history`
const ownersUrl = () => `${itemUrl()}/owners`
const gets = () => [itemUrl(), listingUrl(), collectionUrl(), metadataUrl(), listUrl(), historyUrl(), ownersUrl()]

describe('a kept answer', () => {
  test('is the handler’s, byte for byte, the first time, when it is kept, and as 304', async () => {
    for (const url of gets()) {
      const first = await askBothWays(url)
      expect(first.status).toBe(200)
      const again = await askBothWays(url)
      expect(again).toEqual(first)
      for (const tag of [first.headers.etag!, `W/${first.headers.etag}`, `"x", ${first.headers.etag}`, '*'])
        expect((await askBothWays(url, { 'if-none-match': tag })).status).toBe(304)
      expect((await askBothWays(url, { 'if-none-match': '"x"' })).status).toBe(200)
    }
  })

  test('is not there for what is unknown, malformed or a draft', async () => {
    for (const url of [itemUrl, listingUrl, collectionUrl]) expect((await askBothWays(url(newId()))).status).toBe(404)
    expect(await askDirectly(itemUrl('no-id'))).toBeNull()
    const draft = await makeListing(mine, { item_id: itemIds[1]!, units: 1n, status: 'DRAFT' } as object)
    expect((await askBothWays(listingUrl(draft.id))).status).toBe(404)
  })

  test('takes one round trip to PostgreSQL, as the first one does', async () => {
    for (const url of gets()) {
      await askBothWays(url)
      const { roundTrips } = await countRoundTrips(() => askDirectly(url))
      expect(roundTrips).toHaveLength(1)
      expect(roundTrips[0]).not.toContain('attributes')
    }
    const { roundTrips } = await countRoundTrips(() => askDirectly(itemUrl(itemIds[2])))
    expect(roundTrips).toHaveLength(1)
  })
})

test('an answer is kept when it is asked for again, and read in one round trip until then', async () => {
  const { itemIds: own } = await makePool(mine, 1)
  const url = itemUrl(own[0])
  const rename = (title: string) =>
    asOwner(`UPDATE items SET attributes = '{"title": "${title}"}' WHERE id = '${own[0]}'`)
  const titleAndTrips = async () => {
    const { result, roundTrips } = await countRoundTrips(() => askDirectly(url))
    return [bodyOf(result).title, roundTrips.length]
  }
  expect(await titleAndTrips()).toEqual(['Item 1', 1])
  await rename('Second')
  expect(await titleAndTrips()).toEqual(['Second', 1])
  expect(await titleAndTrips()).toEqual(['Second', 1]) // all of it, which is kept now
  await rename('Third')
  expect(await titleAndTrips()).toEqual(['Third', 2])
  await rename('Second')
  expect(await titleAndTrips()).toEqual(['Second', 1])
  expect(await titleAndTrips()).toEqual(['Second', 1])
  const { roundTrips } = await countRoundTrips(() => askDirectly(url))
  expect(roundTrips).toHaveLength(1)
  expect(roundTrips[0]).not.toContain('attributes') // its version only
  await rename('Fourth')
  expect(await titleAndTrips()).toEqual(['Fourth', 2])
})

test('answers that are asked for once take no memory for their bodies', async () => {
  const pool = await makePool(mine, 20)
  const list = `/public/v1/items?collection_ids=${pool.collectionId}`
  const { bytes } = keptBodies.size
  const { length } = (await askDirectly(list))!.body!
  expect(keptBodies.size.bytes - bytes).toBeLessThan(length / 4)
  await askDirectly(list)
  expect(keptBodies.size.bytes - bytes).toBeGreaterThan(length)
})

test('who asks the same at the same time gets the same body, made once', async () => {
  const pool = await makePool(mine, 2)
  const url = `/public/v1/items?collection_ids=${pool.collectionId}`
  const [first, ...others] = await Promise.all([askDirectly(url), askDirectly(url), askDirectly(url)])
  for (const other of others) expect(other!.body).toBe(first!.body)
  expect((await askDirectly(url))!.body).toBe(first!.body) // kept: it was asked for more than once
})

describe('a change by SQL shows at once', () => {
  test('of an item', async () => {
    await askBothWays(itemUrl())
    await asOwner(`UPDATE items SET attributes = '{"title": "By hand"}' WHERE id = '${itemIds[0]}'`)
    expect((await askBothWays(itemUrl())).body.title).toBe('By hand')
  })

  test('of a collection, in what is joined to it as well', async () => {
    for (const url of gets()) await askBothWays(url)
    const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
    await asOwner(`UPDATE collections SET contract_address = '${address}' WHERE id = '${collectionId}'`)
    expect((await askBothWays(itemUrl())).body.contract_address).toBe(address)
    expect((await askBothWays(listingUrl())).body.contract).toBe(address)
    expect((await askBothWays(collectionUrl())).body.contract).toBe(address)
  })

  test('of a listing', async () => {
    await askBothWays(listingUrl())
    await asOwner(`UPDATE listings SET price = 12345678901234567890123 WHERE id = '${listingId}'`)
    expect((await askBothWays(listingUrl())).body.price).toBe('12345678901234567890123')
  })

  test('of the title and the picture of a listing’s item', async () => {
    const { attributes } = await mine.ctx.db.item.findFirstOrThrow({ where: { id: itemIds[0]! } })
    await askBothWays(listingUrl())
    const renamed = { ...(attributes as object), title: 'Renamed', image_url: 'https://pictures.example/new.png' }
    await mine.ctx.db.item.updateMany({ where: { id: itemIds[0]! }, data: { attributes: renamed } })
    expect((await askBothWays(listingUrl())).body).toMatchObject({
      title: 'Renamed',
      image: { full: 'https://pictures.example/new.png' },
    })
    await mine.ctx.db.item.updateMany({ where: { id: itemIds[0]! }, data: { attributes: attributes as object } })
    expect((await askBothWays(listingUrl())).body.title).not.toBe('Renamed')
  })

  test('of the organization’s payout address, for a listing that is paid by voucher', async () => {
    const setPayout = (payoutAddress: string | null) =>
      mine.ctx.db.organization.updateMany({ where: { id: mine.id }, data: { payoutAddress } })
    await setPayout(makeRandomAddress())
    const { itemIds: own } = await makePool(mine, 1)
    const terms = { price: 5n, payment_providers: ['MINT_VOUCHER' as const] }
    const { id } = await makeListing(mine, { item_id: own[0]!, units: 1n, ...terms })
    expect((await askBothWays(listingUrl(id))).body.reason).toBeNull()
    await setPayout(null)
    expect((await askBothWays(listingUrl(id))).body.reason).toBe('PAYOUT_ADDRESS_MISSING')
  })

  test('that turns a collection private, and public again', async () => {
    await askBothWays(itemUrl())
    await asOwner(`UPDATE collections SET is_public = false WHERE id = '${collectionId}'`)
    expect((await askBothWays(itemUrl())).status).toBe(404)
    expect((await askBothWays(collectionUrl())).status).toBe(404)
    expect((await askBothWays(listingUrl())).status).toBe(200)
    await asOwner(`UPDATE collections SET is_public = true WHERE id = '${collectionId}'`)
    expect((await askBothWays(itemUrl())).status).toBe(200)
  })

  test('that deletes a row, and makes it again with other contents', async () => {
    const { itemIds: ids } = await makePool(mine, 1)
    const url = itemUrl(ids[0])
    await askBothWays(url)
    await asOwner(`CREATE TABLE IF NOT EXISTS set_aside AS SELECT * FROM items WHERE id = '${ids[0]}';
      DELETE FROM items WHERE id = '${ids[0]}'`)
    expect((await askBothWays(url)).status).toBe(404)
    await asOwner(
      `UPDATE set_aside SET attributes = '{"title": "Again"}'; INSERT INTO items SELECT * FROM set_aside; DROP TABLE set_aside`,
    )
    expect((await askBothWays(url)).body.title).toBe('Again')
  })

  test('of a delayed reveal', async () => {
    const pool = await makePool(mine, 1)
    await asOwner(
      `UPDATE collections SET reveal_strategy = 'DELAYED', preview_metadata = '{"title": "Soon"}' WHERE id = '${pool.collectionId}'`,
    )
    expect((await askBothWays(itemUrl(pool.itemIds[0]))).body.title).toBe('Soon')
    expect((await askBothWays(collectionUrl(pool.collectionId))).body.reveal.state).toBe('HIDDEN')
    await asOwner(
      `UPDATE collections SET revealed_at = now(), revealed_seed = '5eed' WHERE id = '${pool.collectionId}'`,
    )
    expect((await askBothWays(itemUrl(pool.itemIds[0]))).body.title).toBe('Item 1')
    expect((await askBothWays(collectionUrl(pool.collectionId))).body.reveal).toMatchObject({
      state: 'REVEALED',
      seed: '5eed',
    })
  })

  test('of which token a hexadecimal id means', async () => {
    const pool = await makePool(mine, 2)
    const decimal = '1'.repeat(64)
    const hex = BigInt(`0x${decimal}`).toString()
    const url = `/public/v1/metadata/${pool.collectionId}/${decimal}`
    await asOwner(
      `UPDATE items SET token_id = CASE id WHEN '${pool.itemIds[0]}' THEN '${decimal}' ELSE '${hex}' END WHERE collection_id = '${pool.collectionId}'`,
    )
    expect((await askBothWays(url)).body.name).toBe('Item 1')
    await asOwner(`DELETE FROM items WHERE id = '${pool.itemIds[0]}'`)
    expect((await askBothWays(url)).body.name).toBe('Item 2')
  })

  test('that suspends the organization, and ends it', async () => {
    expect((await askBothWays(listingUrl())).body.suspended).toBe(false)
    const place = { organizationId: mine.id, collectionId: null }
    await suspend(workerContext('test'), place, 'Stolen pictures.')
    expect((await askBothWays(listingUrl())).body.suspended).toBe(true)
    await unsuspend(workerContext('test'), place)
    expect((await askBothWays(listingUrl())).body.suspended).toBe(false)
  })
})

test('a kept body is sent in the encoding that is asked for, with a tag of its own, and encoded only once', async () => {
  const pool = await makePool(mine, 20)
  const url = `/public/v1/items?collection_ids=${pool.collectionId}`
  const plain = await askDirectly(url)
  const before = keptBodies.size.bytes
  for (const [encoding, decode] of [
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const) {
    const headers = { 'accept-encoding': encoding }
    const first = await askDirectly(url, headers)
    expect(first!.headers).toMatchObject({ 'content-encoding': encoding, vary: 'Accept-Encoding' })
    expect(first!.headers.etag).not.toBe(plain!.headers.etag)
    expect(decode(first!.body!).equals(plain!.body!)).toBe(true)
    expect((await askDirectly(url, headers))!.body).toBe(first!.body)
    const known = await askDirectly(url, { ...headers, 'if-none-match': first!.headers.etag! })
    expect(known).toMatchObject({ status: 304, body: null, headers: { etag: first!.headers.etag } })
  }
  expect(keptBodies.size.bytes).toBeGreaterThan(before)
  expect((await askDirectly(itemUrl(), { 'accept-encoding': 'br' }))!.headers).not.toHaveProperty('content-encoding')
})

test('a kept body keeps no more memory than its bytes', async () => {
  const pool = await makePool(mine, 20)
  const list = `/public/v1/items?collection_ids=${pool.collectionId}`
  const bodies = [
    await askDirectly(itemUrl()),
    await askDirectly(list, { 'accept-encoding': 'br' }),
    await askDirectly(list, { 'accept-encoding': 'gzip' }),
  ].map((answer) => answer!.body!)
  expect(bodies.map(({ buffer }) => buffer.byteLength)).toEqual(bodies.map(({ length }) => length))
})

test('with hardly any memory the oldest bodies go, and every answer is right', async () => {
  const small = new KeptBodies(4_000)
  const body = (text: string, id: string): KeptBody => ({
    version: id,
    moments: [],
    passed: 0,
    etag: '""',
    body: Buffer.from(text),
    encoded: new Map(),
  })
  for (const id of ['a', 'b', 'c']) small.set(id, body('x'.repeat(500), id))
  expect([small.get('a'), small.get('b')?.version, small.get('c')?.version]).toEqual([undefined, 'b', 'c'])
  small.get('b')
  small.set('d', body('x'.repeat(500), 'd'))
  expect([small.get('c'), small.get('b')?.version, small.get('d')?.version]).toEqual([undefined, 'b', 'd'])
  small.set('huge', body('x'.repeat(5_000), 'huge'))
  expect(small.size).toEqual({ answers: 0, bytes: 0 })

  const pool = await makePool(mine, 40)
  const { maxBytes } = keptBodies
  keptBodies.maxBytes = 6_000
  try {
    for (let round = 0; round < 3; round++) {
      const answers = await Promise.all(pool.itemIds.map((id) => askDirectly(itemUrl(id))))
      expect(answers.map((answer) => bodyOf(answer).id)).toEqual(pool.itemIds)
      expect(keptBodies.size.bytes).toBeLessThanOrEqual(6_000)
    }
  } finally {
    keptBodies.maxBytes = maxBytes
  }
})

test('a body from before a restart of PostgreSQL is not sent again', async () => {
  await askBothWays(itemUrl())
  const kept = keptBodies.get(`public_item ${JSON.stringify([itemIds[0]])}`)!
  // The same rows with the same transaction ids, as a restored server may have them: only its start differs.
  kept.version = kept.version.replace(/^\S+ \S+/, '2026-01-01 00:00:00+00')
  kept.body = Buffer.from('{"title":"Before the restore"}')
  expect((await askBothWays(itemUrl())).body.id).toBe(itemIds[0])
})

test('a kept listing starts and ends by the clock, whichever way it moves', async () => {
  const { itemIds: ids } = await makePool(mine, 1)
  const times = { start_time: secondsFrom(now(), 2), end_time: secondsFrom(now(), 4) }
  const url = listingUrl((await makeListing(mine, { item_id: ids[0]!, units: 1n, ...times })).id)
  const seen: string[] = []
  for (const ms of [0, 2_000, 2_000, -2_000, -2_000]) {
    moveClock(ms)
    seen.push((await askBothWays(url)).body.status)
    expect((await askBothWays(url)).body.status).toBe(seen.at(-1))
  }
  expect(seen).toEqual(['SCHEDULED', 'ACTIVE', 'EXPIRED', 'ACTIVE', 'SCHEDULED'])
})

test('what is committed before a question is in its answer, while others ask all the time', async () => {
  const other = await makeOrganization()
  const pools = [await makePool(mine, 1), await makePool(other, 1)]
  const urls = pools.map((pool) => itemUrl(pool.itemIds[0]))
  let stop = false
  const askers = Array.from({ length: 8 }, async (_, at) => {
    while (!stop) expect((await askDirectly(urls[at % 2]!))!.status).toBe(200)
  })
  for (let change = 1; change <= 40; change++) {
    const [pool, url] = [pools[change % 2]!, urls[change % 2]!]
    await asOwner(`UPDATE items SET attributes = '{"title": "Change ${change}"}' WHERE id = '${pool.itemIds[0]}'`)
    const answers = await Promise.all([askDirectly(url), askDirectly(url), askDirectly(urls[(change + 1) % 2]!)])
    expect(answers.slice(0, 2).map((answer) => bodyOf(answer).title)).toEqual([`Change ${change}`, `Change ${change}`])
    expect(bodyOf(answers[2]!).id).toBe(pools[(change + 1) % 2]!.itemIds[0])
  }
  stop = true
  await Promise.all(askers)
})

test('eligibility of an address takes one round trip', async () => {
  const url = `/public/v1/listings/redemption-eligibility?listing_id=${listingId}&eth_address=0x70997970C51812dc3A010C7d01b50e0d17dc79C8`
  await askHandler(url)
  const { result, roundTrips } = await countRoundTrips(() => askHandler(url))
  expect([result.status, bodyOf(result).quantity_claimed, roundTrips.length]).toEqual([200, '0', 1])
})
