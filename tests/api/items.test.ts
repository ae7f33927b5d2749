import { beforeAll, describe, expect, test } from 'vitest'
import { zeroAddress } from 'viem'
import { newId } from '../../lib/core/id.ts'
import { systemClient } from '../../lib/db/client.ts'
import { callerOf, code, fieldsOf, idsOf } from '../support/call.ts'
import { startChain } from '../support/chain.ts'
import { makeCollection, makeDeployedCollection, makeItems } from '../support/collections.ts'
import { hold, make, setCounters } from '../support/items.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { leaveDisagreements, MINTS } from '../support/verify-file.ts'

leaveDisagreements('Items are minted by hand, without a log of the chain.', ...MINTS)

let mine: TestOrganization
let api: ReturnType<typeof callerOf>
const OTHER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

beforeAll(async () => {
  await startChain()
  mine = await makeOrganization()
  api = callerOf(mine.key)
})

const lock = (body: object) => api.post('/v1/items/lock', body)

describe('creating items', () => {
  test('a new item is unlocked and not minted; null attributes are dropped', async () => {
    const collection = await makeCollection(api)
    const { status, body } = await make(api, collection, {
      title: ' Moonflower ',
      description: 'Opens\nat nine.',
      image_url: 'https://example.com/a.png',
      petals: 5,
      rare: true,
      gone: null,
    })
    expect(status).toBe(201)
    const url = 'https://example.com/a.png'
    expect(body).toEqual({
      id: expect.any(String),
      collection_id: collection,
      item_type_id: 'default',
      attributes: { title: 'Moonflower', description: 'Opens\nat nine.', image_url: url, petals: 5, rare: true },
      locked: false,
      max_supply: null,
      media: { image: { cid: null, full: url, original: url, thumb: url, tiny: url } },
      royalty_info: { receiver: zeroAddress, amount_bps: 0 },
      token_id: null,
      token_status: 'NOT_MINTED',
      minted: 0,
      held: 0,
      burned: 0,
      kept_by: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    expect((await api.get(`/v1/items/${body.id}`)).body).toEqual(body)
  })

  test('a title is required, images need https, and attributes must be scalars with valid names', async () => {
    const collection = await makeCollection(api)
    const untitled = await make(api, collection, { description: 'No title' })
    expect([...code(untitled), ...fieldsOf(untitled)]).toEqual([400, 'invalid_request', 'attributes.title'])
    expect(untitled.body.errors[0].code).toBe('required')
    for (const image_url of [
      'http://example.com/a.png',
      'javascript:alert(1)',
      'data:image/png;base64,AA',
      '/etc/passwd',
      'ftp://example.com',
    ])
      expect(fieldsOf(await make(api, collection, { title: 'x', image_url }))).toEqual(['attributes.image_url'])
    const nested = await make(api, collection, { title: 'x', petals: { many: true } })
    expect([...code(nested), ...fieldsOf(nested)]).toEqual([422, 'attributes_invalid', 'attributes.petals'])
    expect(fieldsOf(await make(api, collection, { title: 'x', 'a:b': 1 }))).toEqual(['attributes.a:b'])
  })

  test('an unknown collection, or another organization’s, is not found', async () => {
    const theirs = await makeCollection(callerOf((await makeOrganization()).key))
    expect(code(await make(api, theirs))).toEqual([404, 'not_found'])
    expect(code(await make(api, newId()))).toEqual([404, 'not_found'])
    expect(
      code(await api.post('/v1/items/bulk', { items: [{ collection_id: theirs, attributes: { title: 'x' } }] })),
    ).toEqual([404, 'not_found'])
  })

  test('an item’s royalty is its own, else the collection’s', async () => {
    const collection = await makeCollection(api, { royalty_info: { receiver: OTHER, amount_bps: 100 } })
    expect((await make(api, collection)).body.royalty_info).toEqual({ receiver: OTHER, amount_bps: 100 })
    const own = { receiver: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC', amount_bps: 700 }
    expect((await make(api, collection, { title: 'x' }, { royalty_info: own })).body.royalty_info).toEqual(own)
    expect(
      fieldsOf(await make(api, collection, { title: 'x' }, { royalty_info: { ...own, amount_bps: 10_001 } })),
    ).toEqual(['royalty_info.amount_bps'])
  })

  test('bulk creation makes up to 1,000 items in order, or none', async () => {
    const collection = await makeCollection(api)
    const items = Array.from({ length: 1000 }, (_, at) => ({
      collection_id: collection,
      attributes: { title: `n${at}` },
    }))
    const { status, body } = await api.post('/v1/items/bulk', { items })
    expect([status, body.item_ids.length]).toEqual([201, 1000])
    expect((await api.get(`/v1/items/${body.item_ids[7]}`)).body.attributes.title).toBe('n7')
    const page = await api.get(`/v1/items?collection_id=${collection}&limit=1000&order_direction=ASC`)
    expect(idsOf(page)).toEqual(body.item_ids)

    expect((await api.post('/v1/items/bulk', { items: [...items, items[0]] })).status).toBe(400)
    const oneBad = await api.post('/v1/items/bulk', {
      items: [items[0], { collection_id: collection, attributes: { title: 'x', petals: [] } }],
    })
    expect([...code(oneBad), ...fieldsOf(oneBad)]).toEqual([422, 'attributes_invalid', 'items.1.attributes.petals'])
    expect((await api.get(`/v1/items?collection_id=${collection}`)).body.total_results).toBe(1000)
  })

  test('an external image is fetched by one job, enqueued with the item', async () => {
    const collection = await makeCollection(api)
    const { body } = await make(api, collection, { title: 'x', image_url: 'https://example.com/b.png' })
    const jobs = await systemClient().job.findMany({ where: { name: 'keep-image' }, select: { payload: true } })
    expect(jobs.filter(({ payload }) => (payload as { item_id: string }).item_id === body.id)).toEqual([
      { payload: { organization_id: mine.id, item_id: body.id, source: 'https://example.com/b.png' } },
    ])
  })
})

describe('changing items', () => {
  test('given attributes overwrite, others stay, null removes', async () => {
    const { body } = await make(api, await makeCollection(api), { title: 'a', colour: 'red', scent: 'sweet' })
    const changed = await api.patch(`/v1/items/${body.id}`, { attributes: { title: 'b', scent: null, petals: 5 } })
    expect(changed.body.attributes).toEqual({ title: 'b', colour: 'red', petals: 5 })
    expect(fieldsOf(await api.patch(`/v1/items/${body.id}`, { attributes: { colour: 'blue' } }))).toEqual([
      'attributes.title',
    ])
    expect(fieldsOf(await api.patch(`/v1/items/${body.id}`, { attributes: { title: null } }))).toEqual([
      'attributes.title',
    ])
    expect(fieldsOf(await api.patch(`/v1/items/${body.id}`, {}))).toEqual(['attributes'])
    expect(fieldsOf(await api.patch(`/v1/items/${body.id}`, { attributes: { title: 'b' }, locked: false }))).toEqual([
      'locked',
    ])
  })

  test('editable_metadata cannot be switched on while a mint is pending', async () => {
    const collection = await makeDeployedCollection(mine)
    const [minting] = await makeItems(api, collection)
    await hold(mine, collection, minting!, 'MINT_REQUEST')
    const { status, body } = await api.patch(`/v1/collections/${collection}`, { editable_metadata: true })
    expect([status, body.code]).toEqual([409, 'item_already_minted'])
  })

  test('attributes of an item that is minted or has a pending mint cannot change', async () => {
    const collection = await makeDeployedCollection(mine)
    const [minted, minting, free] = await makeItems(api, collection, 3)
    await setCounters(mine, minted!, { minted: 1n })
    await hold(mine, collection, minting!, 'MINT_REQUEST')
    await hold(mine, collection, free!)
    for (const id of [minted, minting])
      expect(code(await api.patch(`/v1/items/${id}`, { attributes: { title: 'New' } }))).toEqual([
        409,
        'item_already_minted',
      ])
    expect((await api.patch(`/v1/items/${free}`, { attributes: { title: 'New' } })).status).toBe(200)
    expect((await api.patch(`/v1/items/${minted}`, { attributes: { title: 'Item 1' } })).status).toBe(200)
  })

  test('with editable_metadata minted attributes can change, and the contract emits a metadata update', async () => {
    const collection = await makeDeployedCollection(mine, { editable_metadata: true })
    const [id] = await makeItems(api, collection)
    await setCounters(mine, id!, { minted: 1n })
    expect((await api.patch(`/v1/items/${id}`, { attributes: { title: 'New' } })).body.attributes.title).toBe('New')
    const sent = await mine.ctx.db.transaction.findMany({
      where: { collectionId: collection, txType: 'UPDATE_METADATA' },
    })
    expect(sent.map((row) => row.payload)).toEqual([{ from_token_id: '1', to_token_id: '1' }])
  })

  test('an item’s royalty is sent to the contract once the item is locked and the contract deployed', async () => {
    const collection = await makeCollection(api)
    const royalty_info = { receiver: OTHER, amount_bps: 500 }
    const [early, late] = await makeItems(api, collection, 2, { lock: false })
    await api.patch(`/v1/items/${early}`, { attributes: { title: 'x' }, royalty_info })
    await lock({ item_id: early })
    const sent = () =>
      mine.ctx.db.transaction.findMany({
        where: { collectionId: collection, txType: 'SET_ROYALTY' },
        orderBy: { id: 'asc' },
      })
    expect(await sent()).toEqual([])
    await api.post(`/v1/collections/${collection}/deployment-request`, {
      network_id: 31337,
      platform: { symbol: 'X', variant: 'ERC721' },
    })
    const { inTransaction } = await import('../../lib/platform/auth/context.ts')
    const { completeDeployment } = await import('../../lib/catalog/collections/advance-deployment.ts')
    await inTransaction(mine.ctx, (tx) => completeDeployment(tx, collection))
    await api.patch(`/v1/items/${late}`, { attributes: { title: 'x' }, royalty_info })
    await lock({ item_id: late })
    await api.patch(`/v1/items/${late}`, { attributes: { title: 'x' }, royalty_info: null })
    expect((await sent()).map((row) => row.payload)).toEqual([
      { token_id: '1', ...royalty_info },
      { token_id: '2', ...royalty_info },
      { token_id: '2', receiver: zeroAddress, amount_bps: 0 },
    ])
  })

  test('a royalty on a contract we cannot administer is refused', async () => {
    const collection = await makeDeployedCollection(mine)
    const [id] = await makeItems(api, collection)
    await mine.ctx.db.collection.update({
      where: { id: collection },
      data: { deploymentType: 'EXTERNAL', minter: null },
    })
    const royalty_info = { receiver: OTHER, amount_bps: 500 }
    expect(code(await api.patch(`/v1/items/${id}`, { attributes: { title: 'x' }, royalty_info }))).toEqual([
      422,
      'royalty_unsupported',
    ])
    expect(code(await make(api, collection, { title: 'x' }, { royalty_info }))).toEqual([422, 'royalty_unsupported'])
    expect(code(await api.patch(`/v1/collections/${collection}`, { royalty_info }))).toEqual([
      422,
      'royalty_unsupported',
    ])
  })

  test('an edit and a mint at once: the edit is applied or refused', async () => {
    const collection = await makeDeployedCollection(mine)
    const ids = await makeItems(api, collection, 12)
    await Promise.all(
      ids.map(async (id, at) => {
        const [edit] = await Promise.all([
          api.patch(`/v1/items/${id}`, { attributes: { title: 'Edited' } }),
          hold(mine, collection, id, 'MINT_REQUEST'),
        ])
        const { title } = (await api.get(`/v1/items/${id}`)).body.attributes
        expect([edit.status, title]).toEqual(edit.status === 200 ? [200, 'Edited'] : [409, `Item ${at + 1}`])
      }),
    )
  })

  test('only unlocked items can be deleted', async () => {
    const collection = await makeCollection(api)
    const [a, b] = await makeItems(api, collection, 2, { lock: false })
    await lock({ item_id: b })
    expect((await api.delete(`/v1/items/${a}`)).status).toBe(204)
    expect((await api.delete(`/v1/items/${a}`)).status).toBe(404)
    expect(code(await api.delete(`/v1/items/${b}`))).toEqual([409, 'item_already_locked'])
  })
})
