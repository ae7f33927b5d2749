import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { moveClock, now, resetClock, secondsFrom } from '../../lib/core/clock.ts'
import { newId } from '../../lib/core/id.ts'
import { workerContext } from '../../lib/platform/auth/authenticate.ts'
import { publishedRows } from '../../lib/db/published-scope.ts'
import { listHistory } from '../../lib/onchain/history/list-history.ts'
import { KeptBodies, keptBodies, type KeptBody } from '../../lib/platform/http/hot/kept-bodies.ts'
import { suspend, unsuspend } from '../../lib/data/abuse/suspend.ts'
import { asOwner } from '../support/as-owner.ts'
import { installFakeChain, makeRandomAddress } from '../support/claims.ts'
import { countRoundTrips } from '../support/count-round-trips.ts'
import { askDirectly, askHandler, bodyOf } from '../support/direct.ts'
import { makeListing, makePool } from '../support/listings.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { leaveDisagreements } from '../support/verify-file.ts'

leaveDisagreements(
  'Items are deleted and histories written by hand, to be noticed.',
  'an item’s mints are the chain’s logs',
  'a pool is what its collection’s items leave',
)

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
const listUrl = (more = '') => `/public/v1/items?collection_ids=${collectionId}${more}`
const metadataUrl = (token = '1') => `/public/v1/metadata/${collectionId}/${token}`
const historyUrl = (id = itemIds[0]!, more = '') => `${itemUrl(id)}/history${more}`
const ownersUrl = (id = itemIds[0]!) => `${itemUrl(id)}/owners`
const gets = () => [itemUrl(), listingUrl(), collectionUrl(), metadataUrl(), listUrl(), historyUrl(), ownersUrl()]

/**
 * The front door's answer, which has to be the handler's. Which encoding it has depends on Accept-Encoding; the handler leaves that to the front
 * door. It is asked for three times: the body is made, made again and kept, and sent again.
 */
async function ask(url: string, headers: Record<string, string> = {}) {
  const direct = await askDirectly(url, headers)
  const others = [await askDirectly(url, headers), await askDirectly(url, headers)]
  const ordinary = await askHandler(url, headers)
  if (ordinary.status < 400) ordinary.headers.vary = 'Accept-Encoding'
  for (const answer of [direct, ...others])
    expect({ ...answer, body: answer?.body?.toString() }).toEqual({ ...ordinary, body: ordinary.body?.toString() })
  return { status: direct!.status, headers: direct!.headers, body: bodyOf(direct) }
}

describe('a kept answer', () => {
  test('is the handler’s, byte for byte, the first time, when it is kept, and as 304', async () => {
    for (const url of gets()) {
      const first = await ask(url)
      expect(first.status).toBe(200)
      const again = await ask(url)
      expect(again).toEqual(first)
      for (const tag of [first.headers.etag!, `W/${first.headers.etag}`, `"x", ${first.headers.etag}`, '*'])
        expect((await ask(url, { 'if-none-match': tag })).status).toBe(304)
      expect((await ask(url, { 'if-none-match': '"x"' })).status).toBe(200)
    }
  })

  test('is not there for what is unknown, malformed or a draft', async () => {
    for (const url of [itemUrl, listingUrl, collectionUrl]) expect((await ask(url(newId()))).status).toBe(404)
    expect(await askDirectly(itemUrl('no-id'))).toBeNull()
    const draft = await makeListing(mine, { item_id: itemIds[1]!, units: 1n, status: 'DRAFT' } as object)
    expect((await ask(listingUrl(draft.id))).status).toBe(404)
  })

  test('takes one round trip to PostgreSQL, as the first one does', async () => {
    for (const url of gets()) {
      await ask(url)
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
    await ask(itemUrl())
    await asOwner(`UPDATE items SET attributes = '{"title": "By hand"}' WHERE id = '${itemIds[0]}'`)
    expect((await ask(itemUrl())).body.title).toBe('By hand')
  })

  test('of a collection, in what is joined to it as well', async () => {
    for (const url of gets()) await ask(url)
    const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
    await asOwner(`UPDATE collections SET contract_address = '${address}' WHERE id = '${collectionId}'`)
    expect((await ask(itemUrl())).body.contract_address).toBe(address)
    expect((await ask(listingUrl())).body.contract).toBe(address)
    expect((await ask(collectionUrl())).body.contract).toBe(address)
  })

  test('of a listing', async () => {
    await ask(listingUrl())
    await asOwner(`UPDATE listings SET price = 12345678901234567890123 WHERE id = '${listingId}'`)
    expect((await ask(listingUrl())).body.price).toBe('12345678901234567890123')
  })

  test('of the title and the picture of a listing’s item', async () => {
    const { attributes } = await mine.ctx.db.item.findFirstOrThrow({ where: { id: itemIds[0]! } })
    await ask(listingUrl())
    const renamed = { ...(attributes as object), title: 'Renamed', image_url: 'https://pictures.example/new.png' }
    await mine.ctx.db.item.updateMany({ where: { id: itemIds[0]! }, data: { attributes: renamed } })
    expect((await ask(listingUrl())).body).toMatchObject({
      title: 'Renamed',
      image: { full: 'https://pictures.example/new.png' },
    })
    await mine.ctx.db.item.updateMany({ where: { id: itemIds[0]! }, data: { attributes: attributes as object } })
    expect((await ask(listingUrl())).body.title).not.toBe('Renamed')
  })

  test('of the organization’s payout address, for a listing that is paid by voucher', async () => {
    const setPayout = (payoutAddress: string | null) =>
      mine.ctx.db.organization.updateMany({ where: { id: mine.id }, data: { payoutAddress } })
    await setPayout(makeRandomAddress())
    const { itemIds: own } = await makePool(mine, 1)
    const terms = { price: 5n, payment_providers: ['MINT_VOUCHER' as const] }
    const { id } = await makeListing(mine, { item_id: own[0]!, units: 1n, ...terms })
    expect((await ask(listingUrl(id))).body.reason).toBeNull()
    await setPayout(null)
    expect((await ask(listingUrl(id))).body.reason).toBe('PAYOUT_ADDRESS_MISSING')
  })

  test('that turns a collection private, and public again', async () => {
    await ask(itemUrl())
    await asOwner(`UPDATE collections SET is_public = false WHERE id = '${collectionId}'`)
    expect((await ask(itemUrl())).status).toBe(404)
    expect((await ask(collectionUrl())).status).toBe(404)
    expect((await ask(listingUrl())).status).toBe(200)
    await asOwner(`UPDATE collections SET is_public = true WHERE id = '${collectionId}'`)
    expect((await ask(itemUrl())).status).toBe(200)
  })

  test('that deletes a row, and makes it again with other contents', async () => {
    const { itemIds: ids } = await makePool(mine, 1)
    const url = itemUrl(ids[0])
    await ask(url)
    await asOwner(`CREATE TABLE IF NOT EXISTS set_aside AS SELECT * FROM items WHERE id = '${ids[0]}';
      DELETE FROM items WHERE id = '${ids[0]}'`)
    expect((await ask(url)).status).toBe(404)
    await asOwner(
      `UPDATE set_aside SET attributes = '{"title": "Again"}'; INSERT INTO items SELECT * FROM set_aside; DROP TABLE set_aside`,
    )
    expect((await ask(url)).body.title).toBe('Again')
  })

  test('of a delayed reveal', async () => {
    const pool = await makePool(mine, 1)
    await asOwner(
      `UPDATE collections SET reveal_strategy = 'DELAYED', preview_metadata = '{"title": "Soon"}' WHERE id = '${pool.collectionId}'`,
    )
    expect((await ask(itemUrl(pool.itemIds[0]))).body.title).toBe('Soon')
    expect((await ask(collectionUrl(pool.collectionId))).body.reveal.state).toBe('HIDDEN')
    await asOwner(
      `UPDATE collections SET revealed_at = now(), revealed_seed = '5eed' WHERE id = '${pool.collectionId}'`,
    )
    expect((await ask(itemUrl(pool.itemIds[0]))).body.title).toBe('Item 1')
    expect((await ask(collectionUrl(pool.collectionId))).body.reveal).toMatchObject({ state: 'REVEALED', seed: '5eed' })
  })

  test('of which token a hexadecimal id means', async () => {
    const pool = await makePool(mine, 2)
    const decimal = '1'.repeat(64)
    const hex = BigInt(`0x${decimal}`).toString()
    const url = `/public/v1/metadata/${pool.collectionId}/${decimal}`
    await asOwner(
      `UPDATE items SET token_id = CASE id WHEN '${pool.itemIds[0]}' THEN '${decimal}' ELSE '${hex}' END WHERE collection_id = '${pool.collectionId}'`,
    )
    expect((await ask(url)).body.name).toBe('Item 1')
    await asOwner(`DELETE FROM items WHERE id = '${pool.itemIds[0]}'`)
    expect((await ask(url)).body.name).toBe('Item 2')
  })

  test('that suspends the organization, and ends it', async () => {
    expect((await ask(listingUrl())).body.suspended).toBe(false)
    const place = { organizationId: mine.id, collectionId: null }
    await suspend(workerContext('test'), place, 'Stolen pictures.')
    expect((await ask(listingUrl())).body.suspended).toBe(true)
    await unsuspend(workerContext('test'), place)
    expect((await ask(listingUrl())).body.suspended).toBe(false)
  })
})

describe('a kept page', () => {
  test('is the handler’s in both directions, at each place and for every other filter', async () => {
    const pool = await makePool(mine, 7)
    const list = (more: string) => `/public/v1/items?collection_ids=${pool.collectionId}${more}`
    for (const [order, expected] of [
      ['ASC', pool.itemIds],
      ['DESC', pool.itemIds.toReversed()],
    ] as const) {
      const seen: string[] = []
      for (let cursor: string | null = ''; cursor !== null;) {
        const url = list(`&limit=3&order_direction=${order}${cursor && `&cursor=${cursor}`}`)
        const { body } = await ask(url)
        expect((await ask(url)).body).toEqual(body)
        expect(body.total_results).toBe(7)
        seen.push(...body.results.map(({ id }: { id: string }) => id))
        cursor = body.cursor
      }
      expect(seen).toEqual(expected)
    }
    expect(await askDirectly(list('&attributes=title:Item 1'))).toBeNull()
    expect(await askDirectly(list('&cursor=forged'))).toBeNull()
    expect((await ask(`/public/v1/items?collection_ids=${newId()}`)).body).toMatchObject({
      results: [],
      total_results: 0,
    })
  })

  test('shows each item as the item alone is shown, whatever its attributes are', async () => {
    const pool = await makePool(mine, 3)
    const odd = String.raw`{"title": "\"Quoted\" \\ , [] {}", "line": "one\ntwo\u2028", "moon": "🌕 été", "number": 1e21, "small": -0.000001,
      "exact": 9007199254740991, "deep": {"list": [null, true, {"a": []}]}, "empty": "", "image_url": "https://pictures.example/a.png"}`
    await asOwner(`UPDATE items SET attributes = $odd$${odd}$odd$, image_source = 'https://pictures.example/a.png', image_file = 'a.png',
        translations = '{"de": {"title": "Größe „zwei“"}}' WHERE id = '${pool.itemIds[1]}';
      UPDATE items SET attributes = '{}' WHERE id = '${pool.itemIds[2]}'`)
    const { results } = (await ask(`/public/v1/items?collection_ids=${pool.collectionId}&order_direction=ASC`)).body
    const alone = await Promise.all(pool.itemIds.map(async (id) => (await ask(itemUrl(id))).body))
    expect(results).toEqual(alone)
    expect(results[1].attributes).toMatchObject({
      moon: { value: '🌕 été' },
      line: { value: 'one\ntwo\u2028' },
      number: { value: 1e21 },
    })
  })

  test('shows a change by SQL of any of its rows, of what joins it, leaves it or lies beyond it', async () => {
    const pool = await makePool(mine, 4)
    const url = `/public/v1/items?collection_ids=${pool.collectionId}&limit=2`
    const titles = async () => (await ask(url)).body.results.map(({ title }: { title: string }) => title)
    expect(await titles()).toEqual(['Item 4', 'Item 3'])
    await asOwner(`DELETE FROM items WHERE id = '${pool.itemIds[0]}'`)
    expect((await ask(url)).body).toMatchObject({ has_more: true, total_results: 3 })
    await asOwner(`UPDATE items SET attributes = '{"title": "By hand"}' WHERE id = '${pool.itemIds[2]}'`)
    expect(await titles()).toEqual(['Item 4', 'By hand'])
    await asOwner(`DELETE FROM items WHERE id = '${pool.itemIds[3]}'`)
    expect(await titles()).toEqual(['By hand', 'Item 2'])
    expect((await ask(url)).body).toMatchObject({ has_more: false, total_results: 2 })
    await asOwner(`UPDATE collections SET network_id = 1 WHERE id = '${pool.collectionId}'`)
    expect((await ask(url)).body.results[1].network_id).toBe(1)
    await asOwner(`UPDATE collections SET is_public = false WHERE id = '${pool.collectionId}'`)
    expect((await ask(url)).body).toMatchObject({ results: [], total_results: 0 })
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
  await ask(itemUrl())
  const kept = keptBodies.get(`public_item ${JSON.stringify([itemIds[0]])}`)!
  // The same rows with the same transaction ids, as a restored server may have them: only its start differs.
  kept.version = kept.version.replace(/^\S+ \S+/, '2026-01-01 00:00:00+00')
  kept.body = Buffer.from('{"title":"Before the restore"}')
  expect((await ask(itemUrl())).body.id).toBe(itemIds[0])
})

test('a kept listing starts and ends by the clock, whichever way it moves', async () => {
  const { itemIds: ids } = await makePool(mine, 1)
  const times = { start_time: secondsFrom(now(), 2), end_time: secondsFrom(now(), 4) }
  const url = listingUrl((await makeListing(mine, { item_id: ids[0]!, units: 1n, ...times })).id)
  const seen: string[] = []
  for (const ms of [0, 2_000, 2_000, -2_000, -2_000]) {
    moveClock(ms)
    seen.push((await ask(url)).body.status)
    expect((await ask(url)).body.status).toBe(seen.at(-1))
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

test('a page of an item’s history or owners takes one round trip', async () => {
  for (const list of ['history', 'owners']) {
    const url = `${itemUrl()}/${list}`
    await askHandler(url)
    const { result, roundTrips } = await countRoundTrips(() => askHandler(url))
    expect([result.status, roundTrips.length]).toEqual([200, 1])
    expect((await askHandler(`${itemUrl(newId())}/${list}`)).status).toBe(404)
  }
})

describe('a kept page of what belongs to an item', () => {
  const SOMEBODY = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
  const OTHER = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
  const addHistory = (itemId: string, type: string, from: number, to: number) =>
    asOwner(`INSERT INTO item_history (id, organization_id, collection_id, item_id, token_id, type, quantity, from_address, to_address,
        network_id, tx_hash, block_number, log_index, timestamp)
      SELECT gen_random_uuid(), organization_id, collection_id, id, token_id, '${type}', 1, '${OTHER}', '${SOMEBODY}', 31337,
        '0x' || encode(sha256((id || '${type}' || n)::bytea), 'hex'), n, 0, now() FROM items, generate_series(${from}, ${to}) n WHERE id = '${itemId}'`)

  test('shows a change by SQL at once, of its rows and of who may see the item', async () => {
    const pool = await makePool(mine, 2)
    const [id = '', other = ''] = pool.itemIds
    const total = async (url: string) => (await ask(url)).body.total_results as number
    expect([await total(historyUrl(id)), await total(ownersUrl(id))]).toEqual([0, 0])
    await addHistory(id, 'MINT', 1, 2)
    await asOwner(
      `INSERT INTO item_owners (organization_id, item_id, address, quantity) SELECT organization_id, id, '${SOMEBODY}', 2 FROM items WHERE id = '${id}'`,
    )
    expect([await total(historyUrl(id)), await total(ownersUrl(id)), await total(historyUrl(other))]).toEqual([2, 1, 0])
    await asOwner(`UPDATE item_history SET tx_hash = '0x' || repeat('ab', 32) WHERE item_id = '${id}' AND block_number = 1;
      UPDATE item_owners SET quantity = 3 WHERE item_id = '${id}'`)
    expect(JSON.stringify((await ask(historyUrl(id))).body)).toContain('ab'.repeat(32))
    expect((await ask(ownersUrl(id))).body.results).toEqual([{ address: SOMEBODY, quantity: 3 }])
    await asOwner(`DELETE FROM item_history WHERE item_id = '${id}' AND block_number = 1;
      UPDATE item_owners SET quantity = 0 WHERE item_id = '${id}'`)
    expect([await total(historyUrl(id)), await total(ownersUrl(id))]).toEqual([1, 0])
    await asOwner(`UPDATE collections SET is_public = false WHERE id = '${pool.collectionId}'`)
    expect([(await ask(historyUrl(id))).status, (await ask(ownersUrl(id))).status]).toEqual([404, 404])
    expect((await listHistory(mine.ctx, id, { limit: 20 })).total_results).toBe(1)
    const stranger = await makeOrganization()
    await expect(listHistory(stranger.ctx, id, { limit: 20 })).rejects.toMatchObject({ code: 'not_found' })
  })

  test('counts many rows without looking for their item each time, and never those of an item that is not shown', async () => {
    const pool = await makePool(mine, 1)
    const [id = ''] = pool.itemIds
    await addHistory(id, 'MINT', 1, 150)
    await addHistory(id, 'TRANSFER', 151, 151)
    const totals = await Promise.all(
      ['', '?event_type=MINT', '?event_type=TRANSFER', '?event_type=BURN', '?order_direction=ASC&limit=1'].map(
        async (more) => (await ask(historyUrl(id, more))).body.total_results as number,
      ),
    )
    expect(totals).toEqual([151, 150, 1, 0, 151])
    await asOwner(`UPDATE collections SET deployment_status = 'FAILED' WHERE id = '${pool.collectionId}'`)
    const counted = { name: 'test_count', text: 'SELECT count_shown_history($1::uuid, NULL, 1000) AS total' }
    expect(await publishedRows(counted, id)).toEqual([{ total: 0n }])
    expect(await (await makeOrganization()).ctx.rows(counted, id)).toEqual([{ total: 0n }])
    expect(await mine.ctx.rows(counted, id)).toEqual([{ total: 151n }])
  })
})

test('eligibility of an address takes one round trip', async () => {
  const url = `/public/v1/listings/redemption-eligibility?listing_id=${listingId}&eth_address=0x70997970C51812dc3A010C7d01b50e0d17dc79C8`
  await askHandler(url)
  const { result, roundTrips } = await countRoundTrips(() => askHandler(url))
  expect([result.status, bodyOf(result).quantity_claimed, roundTrips.length]).toEqual([200, '0', 1])
})
