import { beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../lib/core/id.ts'
import { publishedRows } from '../../lib/db/published-scope.ts'
import { listHistory } from '../../lib/onchain/history/list-history.ts'
import { asOwner } from '../support/as-owner.ts'
import { installFakeChain } from '../support/claims.ts'
import { countRoundTrips } from '../support/count-round-trips.ts'
import { askBothWays, askDirectly, askHandler } from '../support/direct.ts'
import { makePool } from '../support/listings.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { leaveDisagreements } from '../support/verify-file.ts'

leaveDisagreements(
  'Items are deleted and histories written by hand, to be noticed.',
  'an item’s mints are the chain’s logs',
  'a pool is what its collection’s items leave',
)

let mine: TestOrganization

beforeAll(async () => {
  installFakeChain()
  mine = await makeOrganization()
})

const itemUrl = (id: string) => `/public/v1/items/${id}`
const historyUrl = (id: string, more = '') => `${itemUrl(id)}/history${more}`
const ownersUrl = (id: string) => `${itemUrl(id)}/owners`

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
        const { body } = await askBothWays(url)
        expect((await askBothWays(url)).body).toEqual(body)
        expect(body.total_results).toBe(7)
        seen.push(...body.results.map(({ id }: { id: string }) => id))
        cursor = body.cursor
      }
      expect(seen).toEqual(expected)
    }
    expect(await askDirectly(list('&attributes=title:Item 1'))).toBeNull()
    expect(await askDirectly(list('&cursor=forged'))).toBeNull()
    expect((await askBothWays(`/public/v1/items?collection_ids=${newId()}`)).body).toMatchObject({
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
    const { results } = (await askBothWays(`/public/v1/items?collection_ids=${pool.collectionId}&order_direction=ASC`))
      .body
    const alone = await Promise.all(pool.itemIds.map(async (id) => (await askBothWays(itemUrl(id))).body))
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
    const titles = async () => (await askBothWays(url)).body.results.map(({ title }: { title: string }) => title)
    expect(await titles()).toEqual(['Item 4', 'Item 3'])
    await asOwner(`DELETE FROM items WHERE id = '${pool.itemIds[0]}'`)
    expect((await askBothWays(url)).body).toMatchObject({ has_more: true, total_results: 3 })
    await asOwner(`UPDATE items SET attributes = '{"title": "By hand"}' WHERE id = '${pool.itemIds[2]}'`)
    expect(await titles()).toEqual(['Item 4', 'By hand'])
    await asOwner(`DELETE FROM items WHERE id = '${pool.itemIds[3]}'`)
    expect(await titles()).toEqual(['By hand', 'Item 2'])
    expect((await askBothWays(url)).body).toMatchObject({ has_more: false, total_results: 2 })
    await asOwner(`UPDATE collections SET network_id = 1 WHERE id = '${pool.collectionId}'`)
    expect((await askBothWays(url)).body.results[1].network_id).toBe(1)
    await asOwner(`UPDATE collections SET is_public = false WHERE id = '${pool.collectionId}'`)
    expect((await askBothWays(url)).body).toMatchObject({ results: [], total_results: 0 })
  })
})

test('a page of an item’s history or owners takes one round trip', async () => {
  const [id = ''] = (await makePool(mine, 1)).itemIds
  for (const list of ['history', 'owners']) {
    const url = `${itemUrl(id)}/${list}`
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
    const total = async (url: string) => (await askBothWays(url)).body.total_results as number
    expect([await total(historyUrl(id)), await total(ownersUrl(id))]).toEqual([0, 0])
    await addHistory(id, 'MINT', 1, 2)
    await asOwner(
      `INSERT INTO item_owners (organization_id, item_id, address, quantity) SELECT organization_id, id, '${SOMEBODY}', 2 FROM items WHERE id = '${id}'`,
    )
    expect([await total(historyUrl(id)), await total(ownersUrl(id)), await total(historyUrl(other))]).toEqual([2, 1, 0])
    await asOwner(`UPDATE item_history SET tx_hash = '0x' || repeat('ab', 32) WHERE item_id = '${id}' AND block_number = 1;
      UPDATE item_owners SET quantity = 3 WHERE item_id = '${id}'`)
    expect(JSON.stringify((await askBothWays(historyUrl(id))).body)).toContain('ab'.repeat(32))
    expect((await askBothWays(ownersUrl(id))).body.results).toEqual([{ address: SOMEBODY, quantity: 3 }])
    await asOwner(`DELETE FROM item_history WHERE item_id = '${id}' AND block_number = 1;
      UPDATE item_owners SET quantity = 0 WHERE item_id = '${id}'`)
    expect([await total(historyUrl(id)), await total(ownersUrl(id))]).toEqual([1, 0])
    await asOwner(`UPDATE collections SET is_public = false WHERE id = '${pool.collectionId}'`)
    expect([(await askBothWays(historyUrl(id))).status, (await askBothWays(ownersUrl(id))).status]).toEqual([404, 404])
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
        async (more) => (await askBothWays(historyUrl(id, more))).body.total_results as number,
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
