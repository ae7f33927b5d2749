import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../lib/core/id.ts'
import { KeptBodies, keptBodies, type KeptBody } from '../../lib/platform/http/hot/kept-bodies.ts'
import { asOwner } from '../support/as-owner.ts'
import { installFakeChain } from '../support/claims.ts'
import { countRoundTrips } from '../support/count-round-trips.ts'
import { askBothWays, askDirectly, askHandler, bodyOf } from '../support/direct.ts'
import { makeListing, makePool } from '../support/listings.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'

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

test('eligibility of an address takes one round trip', async () => {
  const url = `/public/v1/listings/redemption-eligibility?listing_id=${listingId}&eth_address=0x70997970C51812dc3A010C7d01b50e0d17dc79C8`
  await askHandler(url)
  const { result, roundTrips } = await countRoundTrips(() => askHandler(url))
  expect([result.status, bodyOf(result).quantity_claimed, roundTrips.length]).toEqual([200, '0', 1])
})
