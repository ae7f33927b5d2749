import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { moveClock, now, resetClock, secondsFrom } from '../../lib/core/clock.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { suspend, unsuspend } from '../../lib/data/abuse/suspend.ts'
import { asOwner } from '../support/as-owner.ts'
import { installFakeChain, makeRandomAddress } from '../support/claims.ts'
import { askBothWays, askDirectly, bodyOf } from '../support/direct.ts'
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
  ;({ collectionId, itemIds } = await makePool(mine, 1))
  listingId = (await makeListing(mine, { item_id: itemIds[0]!, units: 1n })).id
})
afterEach(resetClock)

const itemUrl = (id = itemIds[0]!) => `/public/v1/items/${id}`
const listingUrl = (id = listingId) => `/public/v1/listings/${id}`
const collectionUrl = (id = collectionId) => `/public/v1/collections/${id}`

describe('a change by SQL shows at once', () => {
  test('an item’s public answer shows it', async () => {
    await askBothWays(itemUrl())
    await asOwner(`UPDATE items SET attributes = '{"title": "By hand"}' WHERE id = '${itemIds[0]}'`)
    expect((await askBothWays(itemUrl())).body.title).toBe('By hand')
  })

  test('a collection’s public answer shows it, in what is joined to it as well', async () => {
    for (const url of [itemUrl(), listingUrl(), collectionUrl()]) await askBothWays(url)
    const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
    await asOwner(`UPDATE collections SET contract_address = '${address}' WHERE id = '${collectionId}'`)
    expect((await askBothWays(itemUrl())).body.contract_address).toBe(address)
    expect((await askBothWays(listingUrl())).body.contract).toBe(address)
    expect((await askBothWays(collectionUrl())).body.contract).toBe(address)
  })

  test('a listing’s public answer shows it', async () => {
    await askBothWays(listingUrl())
    await asOwner(`UPDATE listings SET price = 12345678901234567890123 WHERE id = '${listingId}'`)
    expect((await askBothWays(listingUrl())).body.price).toBe('12345678901234567890123')
  })

  test('a listing’s public answer shows the title and the picture of its item', async () => {
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

  test('a listing that is paid by voucher shows the organization’s payout address', async () => {
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

  test('a delayed reveal shows it', async () => {
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

  test('a hexadecimal id means another token at once', async () => {
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

  test('a suspension of the organization and its end show it', async () => {
    expect((await askBothWays(listingUrl())).body.suspended).toBe(false)
    const place = { organizationId: mine.id, collectionId: null }
    await suspend(systemContext('test'), place, 'Stolen pictures.')
    expect((await askBothWays(listingUrl())).body.suspended).toBe(true)
    await unsuspend(systemContext('test'), place)
    expect((await askBothWays(listingUrl())).body.suspended).toBe(false)
  })
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
