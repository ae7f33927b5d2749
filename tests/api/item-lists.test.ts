import { beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../lib/core/id.ts'
import { callerOf, idsOf } from '../support/call.ts'
import { startChain } from '../support/chain.ts'
import { makeCollection, makeDeployedCollection, makeItems } from '../support/collections.ts'
import { hold, setCounters } from '../support/items.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { leaveDisagreements, MINTS } from '../support/verify-file.ts'

leaveDisagreements('Items are minted by hand, without a log of the chain.', ...MINTS)

let mine: TestOrganization
let api: ReturnType<typeof callerOf>
const open = callerOf()
const OTHER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

beforeAll(async () => {
  await startChain()
  mine = await makeOrganization()
  api = callerOf(mine.key)
})

describe('listing items', () => {
  test('the list is filtered by collection, lock, token status, title and attributes', async () => {
    const collection = await makeDeployedCollection(mine)
    const [a, b, c] = await makeItems(api, collection, 3)
    const [d] = await makeItems(api, collection, 1, {
      lock: false,
      attributes: { title: '100% silk_worm', petals: 5, rare: true, 'colour of': 'a:b,c' },
    })
    await setCounters(mine, a!, { minted: 1n })
    await setCounters(mine, b!, { minted: 1n, burned: 1n })
    await hold(mine, collection, c!, 'MINT_REQUEST')
    const list = async (query: string) => idsOf(await api.get(`/v1/items?collection_id=${collection}&${query}`))
    expect(await list('')).toEqual([d, c, b, a])
    expect(await list('order_direction=ASC')).toEqual([a, b, c, d])
    expect(await list('locked=false')).toEqual([d])
    expect(await list('locked=true&limit=2')).toEqual([c, b])
    expect(await list('token_status=MINTED')).toEqual([a])
    expect(await list('token_status=BURNED')).toEqual([b])
    expect(await list('token_status=MINTING')).toEqual([c])
    expect(await list('token_status=NOT_MINTED')).toEqual([d])
    expect(await list('search=100% SILK_')).toEqual([d])
    expect(await list('search=_00')).toEqual([])
    expect(await list('attribute=petals:5&attribute=rare:true')).toEqual([d])
    expect(await list('attribute=petals:5&attribute=rare:false')).toEqual([])
    expect(await list(`attribute=${encodeURIComponent('colour of:a:b,c')}`)).toEqual([d])
    expect((await api.get('/v1/items?attribute=petals')).status).toBe(400)
    expect((await api.get('/v1/items?limit=1001')).status).toBe(400)
    expect((await api.get('/v1/items?cursor=abc')).body.code).toBe('invalid_cursor')
  })

  test('another organization’s items are in no list', async () => {
    const other = await makeOrganization()
    await makeItems(callerOf(other.key), await makeCollection(callerOf(other.key)), 2, { lock: false })
    expect((await callerOf(other.key).get('/v1/items')).body.total_results).toBe(2)
    expect((await callerOf((await makeOrganization()).key).get('/v1/items')).body.total_results).toBe(0)
  })

  test('paging while items are made shows every earlier item once', async () => {
    const collection = await makeCollection(api)
    const made = await makeItems(api, collection, 7, { lock: false })
    const seen: string[] = []
    for (let cursor = ''; ;) {
      const { body } = await api.get(`/v1/items?collection_id=${collection}&limit=3&cursor=${cursor}`)
      seen.push(...body.results.map(({ id }: { id: string }) => id))
      await makeItems(api, collection, 1, { lock: false })
      if (!body.has_more) break
      cursor = body.cursor
    }
    expect(seen).toEqual(made.toReversed())
  })

  test('an item’s holds are listed with its unit counts', async () => {
    const collection = await makeDeployedCollection(mine, { variant: 'ERC1155' })
    const [id] = await makeItems(api, collection, 1, { max_supply: 10 })
    await hold(mine, collection, id!, 'CLAIM', 3n)
    const { holdId } = await hold(mine, collection, id!, 'MINT_REQUEST', 2n)
    const { body } = await api.get(`/v1/items/${id}/holds`)
    expect(body).toMatchObject({
      max_supply: 10,
      minted: 0,
      held: 5,
      kept: 0,
      kept_by: null,
      free: 5,
      total_results: 2,
    })
    expect(body.results[0]).toEqual({
      id: holdId,
      holder_type: 'MINT_REQUEST',
      holder_id: expect.any(String),
      quantity: 2,
      state: 'HELD',
      created_at: expect.any(String),
    })
    expect((await api.get(`/v1/items/${id}/holds?state=RELEASED`)).body.total_results).toBe(0)
    expect((await api.get(`/v1/items/${newId()}/holds`)).status).toBe(404)
  })
})

describe('public items', () => {
  test('only locked items of deployed, public collections are shown', async () => {
    const collection = await makeDeployedCollection(mine)
    const [shown] = await makeItems(api, collection, 1, { attributes: { description: 'Opens at nine.', petals: 5 } })
    const [unlocked] = await makeItems(api, collection, 1, { lock: false })
    const [undeployed] = await makeItems(api, await makeCollection(api), 1)
    const [hidden] = await makeItems(api, await makeDeployedCollection(mine, { is_public: false }), 1)
    const { body } = await open.get(`/public/v1/items/${shown}`)
    expect(body).toEqual({
      id: shown,
      collection_id: collection,
      token_id: '1',
      token_type: 'ERC721',
      network_id: 31337,
      contract_address: expect.stringMatching(/^0x/),
      attributes: { title: { value: 'Item 1' }, description: { value: 'Opens at nine.' }, petals: { value: 5 } },
      media: { image: null },
      title: 'Item 1',
      description: 'Opens at nine.',
    })
    for (const id of [unlocked, undeployed, hidden, newId(), 'nonsense'])
      expect((await open.get(`/public/v1/items/${id}`)).status).toBe(404)
    expect(idsOf(await open.get(`/public/v1/items?collection_ids=${collection}`))).toEqual([shown])
    const all = idsOf(await open.get(`/public/v1/items?organization_id=${mine.id}&limit=1000`))
    for (const id of [unlocked, undeployed, hidden]) expect(all).not.toContain(id)
  })

  test('the list is filtered by collection, token, network, attributes and owner', async () => {
    const gallery = await makeOrganization()
    const their = callerOf(gallery.key)
    const one = await makeDeployedCollection(gallery)
    const two = await makeDeployedCollection(gallery)
    const [a, b] = await makeItems(their, one, 2, { attributes: { colour: 'red' } })
    const [c] = await makeItems(their, two, 1, { attributes: { colour: 'red', size: 'L,XL' } })
    await gallery.ctx.db.itemOwner.create({
      data: { organizationId: gallery.id, itemId: b!, address: OTHER, quantity: 1 },
    })
    await gallery.ctx.db.itemOwner.create({
      data: { organizationId: gallery.id, itemId: a!, address: OTHER, quantity: 0 },
    })
    const list = async (query: string) =>
      idsOf(await open.get(`/public/v1/items?organization_id=${gallery.id}&${query}`))
    expect(await list('')).toEqual([c, b, a])
    expect(await list(`collection_ids=${one},${two}`)).toEqual([c, b, a])
    expect(await list(`collection_ids=${one}&collection_ids=${newId()}`)).toEqual([b, a])
    expect(await list('token_ids=1')).toEqual([c, a])
    expect(await list('token_ids=1,2&order_direction=ASC')).toEqual([a, b, c])
    expect(await list('network_ids=31337&network_ids=1')).toEqual([c, b, a])
    expect(await list('network_ids=1')).toEqual([])
    expect(await list('attributes=colour:red&attributes=size:L,XL')).toEqual([c])
    expect(await list(`owner=${OTHER.toLowerCase()}`)).toEqual([b])
    expect(await list('attributes=&cursor=&network_ids=')).toEqual([c, b, a])
    const largest = String(2n ** 256n - 1n)
    await gallery.ctx.db.item.updateMany({ where: { id: c! }, data: { tokenId: largest } })
    expect(await list(`token_ids=${largest}`)).toEqual([c])
    expect(await list(`token_ids=1,${largest}`)).toEqual([c, a])
    expect(await list('token_ids=2147483648')).toEqual([])
    expect(await list('token_ids=-1,01')).toEqual([a])
    for (const wrong of ['x', '0x1', '1.5', String(2n ** 256n), '9'.repeat(79), '-2147483649'])
      expect((await open.get(`/public/v1/items?token_ids=${wrong}`)).body, wrong).toMatchObject({
        status: 400,
        errors: [{ detail: 'A token id is needed: a whole number up to 2^256 - 1, in decimal digits.' }],
      })
    expect((await open.get(`/public/v1/items?owner=0x70997970c51812dc3A010C7d01b50e0d17dc79C8`)).status).toBe(400)
    expect((await open.get('/public/v1/items?collection_ids=x')).status).toBe(400)
  })

  test('an unrevealed item shows its preview and is not found by its attributes', async () => {
    const collection = await makeDeployedCollection(mine, {
      reveal_strategy: 'DELAYED',
      preview_metadata: { title: 'A closed flower' },
    })
    const [id] = await makeItems(api, collection, 1, { attributes: { secret: 'gold' } })
    const { body } = await open.get(`/public/v1/items/${id}`)
    expect([body.title, body.attributes]).toEqual(['A closed flower', { title: { value: 'A closed flower' } }])
    expect(idsOf(await open.get(`/public/v1/items?collection_ids=${collection}&attributes=secret:gold`))).toEqual([])
    await api.post(`/v1/collections/${collection}/reveal`, {})
    expect((await open.get(`/public/v1/items/${id}`)).body.attributes.secret).toEqual({ value: 'gold' })
  })
})
