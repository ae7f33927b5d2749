import { beforeAll, describe, expect, test } from 'vitest'
import { getAddress, zeroAddress } from 'viem'
import { cloneCode } from '../../lib/core/contracts/calls.ts'
import { inTransaction } from '../../lib/platform/auth/context.ts'
import { completeDeployment, failDeployment } from '../../lib/catalog/collections/advance-deployment.ts'
import { systemClient } from '../../lib/db/client.ts'
import { newId } from '../../lib/core/id.ts'
import { callerOf, code } from '../support/call.ts'
import { startChain, type TestChain } from '../support/chain.ts'
import { makeCollection, makeDeployedCollection, makeItems } from '../support/collections.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { leaveDisagreements, MINTS } from '../support/verify-file.ts'

leaveDisagreements('Items are minted by hand, without a log of the chain.', ...MINTS)

let mine: TestOrganization
let api: ReturnType<typeof callerOf>
let chain: TestChain
const open = callerOf()
const platform = { symbol: 'NIGHT', variant: 'ERC721' }
const OTHER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

beforeAll(async () => {
  chain = await startChain()
  mine = await makeOrganization()
  api = callerOf(mine.key)
})

const name = () => `Night garden ${newId()}`
const deploy = (id: string, body: object = {}) =>
  api.post(`/v1/collections/${id}/deployment-request`, { network_id: 31337, platform, ...body })
const finish = (id: string) => inTransaction(mine.ctx, (tx) => completeDeployment(tx, id))

describe('collections', () => {
  test('a new collection has all the given fields', async () => {
    const given = {
      name: name(),
      description: 'Flowers\nthat open after dark.',
      external_link: 'https://example.com',
      image_url: 'https://example.com/a.png',
      media: { header_image_url: 'https://example.com/h.png', thumbnail_image_url: null },
      is_public: false,
      editable_metadata: true,
      reveal_strategy: 'DELAYED',
      preview_metadata: { title: 'A closed flower' },
      royalty_info: { receiver: OTHER.toLowerCase(), amount_bps: 250 },
    }
    const made = await api.post('/v1/collections', given)
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({
      ...given,
      royalty_info: { receiver: OTHER, amount_bps: 250 },
      contract: null,
      network_id: null,
      deployment: null,
      mode: null,
      default_item_type_id: 'default',
      capabilities: [],
    })
    expect((await api.get(`/v1/collections/${made.body.id}`)).body).toEqual(made.body)
  })

  test('a name is unique within an organization', async () => {
    const taken = name()
    await makeCollection(api, { name: taken })
    const refused = await api.post('/v1/collections', { name: taken })
    expect([...code(refused), refused.body.errors[0].field]).toEqual([409, 'name_taken', 'name'])
    await makeCollection(callerOf((await makeOrganization()).key), { name: taken })
    const other = await makeCollection(api)
    expect(code(await api.patch(`/v1/collections/${other}`, { name: taken }))).toEqual([409, 'name_taken'])
  })

  test('each malformed field is named, and an unknown item type is not found', async () => {
    const refused = await api.post('/v1/collections', {
      name: '',
      image_url: 'http://example.com/a.png',
      royalty_info: { receiver: zeroAddress, amount_bps: 5 },
      colour: 'red',
    })
    expect(code(refused)).toEqual([400, 'invalid_request'])
    expect(refused.body.errors.map((error: { field: string }) => error.field).sort()).toEqual([
      'colour',
      'image_url',
      'name',
      'royalty_info.receiver',
    ])
    expect(code(await api.post('/v1/collections', { name: name(), default_item_type_id: newId() }))).toEqual([
      404,
      'not_found',
    ])
  })

  test('null means absent when creating, and clears the field in a change', async () => {
    const id = await makeCollection(api, { description: null, is_public: null, deployment_request: null })
    await api.patch(`/v1/collections/${id}`, {
      description: 'Something',
      media: { header_image_url: 'https://example.com/h.png' },
    })
    const { body } = await api.patch(`/v1/collections/${id}`, { description: null })
    expect(body).toMatchObject({
      description: null,
      is_public: true,
      media: { header_image_url: 'https://example.com/h.png' },
    })
    expect((await api.patch(`/v1/collections/${id}`, { media: null })).body.media).toBeNull()
  })

  test('the list is filtered and searched', async () => {
    const word = newId().slice(-8)
    const ids = [
      await makeCollection(api, { name: `Moon ${word} a` }),
      await makeCollection(api, { name: `Moon ${word} b` }),
    ]
    const { body } = await api.get(`/v1/collections?search=MOON ${word}`)
    expect(body.results.map((row: { id: string }) => row.id)).toEqual(ids.toReversed())
    expect(body).toMatchObject({ total_results: 2, has_more: false, cursor: null })
    const marked = await makeCollection(api, { name: `100% ${word}_` })
    const found = async (search: string) =>
      (await api.get(`/v1/collections?search=${encodeURIComponent(search)}`)).body.results.map(
        (row: { id: string }) => row.id,
      )
    expect([await found(`% ${word}_`), await found(`_ ${word}`)]).toEqual([[marked], []])
    expect((await api.get('/v1/collections?deployment_status=FAILED&network_id=1')).body.total_results).toBe(0)
  })

  test('an empty collection can be deleted, one with items or a contract cannot', async () => {
    const empty = await makeCollection(api)
    expect((await api.delete(`/v1/collections/${empty}`)).status).toBe(204)
    expect((await api.get(`/v1/collections/${empty}`)).status).toBe(404)
    const full = await makeCollection(api)
    await makeItems(api, full, 1, { lock: false })
    expect(code(await api.delete(`/v1/collections/${full}`))).toEqual([409, 'collection_in_use'])
    const deployed = await makeDeployedCollection(mine)
    expect(code(await api.delete(`/v1/collections/${deployed}`))).toEqual([409, 'collection_in_use'])
  })

  test('editable_metadata cannot be switched on once an item is minted', async () => {
    const id = await makeDeployedCollection(mine)
    const [item] = await makeItems(api, id)
    await mine.ctx.db.item.update({ where: { id: item! }, data: { minted: 1n } })
    expect(code(await api.patch(`/v1/collections/${id}`, { editable_metadata: true }))).toEqual([
      409,
      'item_already_minted',
    ])
  })
})

describe('deployment', () => {
  test('a request computes the contract’s address at once and opens one transaction', async () => {
    const id = await makeCollection(api)
    const asked = await deploy(id, { platform: { ...platform, max_supply: 500, soulbound: true } })
    expect(asked.status).toBe(201)
    expect(asked.body).toMatchObject({
      status: 'PENDING',
      type: 'PLATFORM',
      network_id: 31337,
      transaction_id: expect.any(String),
      failure: null,
    })
    const row = await mine.ctx.db.collection.findFirstOrThrow({ where: { id } })
    expect(row).toMatchObject({
      mode: 'TEST',
      owner: chain.operator.address,
      minter: chain.operator.address,
      symbol: 'NIGHT',
      maxSupply: 500n,
      soulbound: true,
    })
    expect(row.contractAddress).toBe(getAddress(row.contractAddress!))
    const transaction = await mine.ctx.db.transaction.findFirstOrThrow({ where: { id: asked.body.transaction_id } })
    expect(transaction).toMatchObject({ txType: 'DEPLOY_TOKEN_CONTRACT', state: 'PENDING', collectionId: id })
    expect((await api.get(`/v1/collections/${id}/deployment-request`)).body).toEqual(asked.body)
    expect(code(await deploy(id))).toEqual([409, 'collection_already_deployed'])
  })

  test('requested with the new collection, both are made or neither', async () => {
    const both = await api.post('/v1/collections', {
      name: name(),
      deployment_request: { network_id: 31337, platform },
    })
    expect(both.body.deployment).toMatchObject({ status: 'PENDING' })
    const neither = name()
    expect(
      code(await api.post('/v1/collections', { name: neither, deployment_request: { network_id: 5, platform } })),
    ).toEqual([422, 'network_unavailable'])
    expect((await api.get(`/v1/collections?search=${neither}`)).body.total_results).toBe(0)
  })

  test('a deployed collection has one event, is public and shows its contract and capabilities', async () => {
    const id = await makeCollection(api)
    expect((await api.get(`/v1/collections/${id}/deployment-request`)).status).toBe(404)
    await deploy(id)
    expect((await open.get(`/public/v1/collections/${id}`)).status).toBe(404)
    await finish(id)
    await finish(id)
    expect(await mine.ctx.db.event.count({ where: { type: 'collection.deployed', key: id } })).toBe(1)
    const { body } = await open.get(`/public/v1/collections/${id}`)
    expect(body).toMatchObject({
      id,
      network_id: 31337,
      token_type: 'ERC721',
      symbol: 'NIGHT',
      soulbound: false,
      max_supply: null,
      editable_metadata: false,
    })
    expect(body.base_uri).toBe(`http://localhost:3000/public/v1/metadata/${id}/`)
    expect(body.deployment).toBeUndefined()
    expect((await api.get(`/v1/collections/${id}`)).body.capabilities).toContain('ADMIN_MINT_MULTIPLE')
  })

  test('a failed deployment says why, and can be requested again', async () => {
    const id = await makeCollection(api)
    const { body } = await deploy(id)
    await mine.ctx.db.transaction.update({
      where: { id: body.transaction_id },
      data: { state: 'FAILED', failure: 'The network was down.' },
    })
    await inTransaction(mine.ctx, (tx) => failDeployment(tx, id, 'The network was down.'))
    expect((await api.get(`/v1/collections/${id}`)).body.deployment).toMatchObject({
      status: 'FAILED',
      failure: 'The network was down.',
    })
    expect((await deploy(id)).body).toMatchObject({ status: 'PENDING', failure: null })
  })

  test('a TEST key deploys to testnets only', async () => {
    const { replacePorts, ports } = await import('../../lib/ports/ports.ts')
    const before = ports().chains
    replacePorts({
      chains: new Map([
        ...before,
        [1, { ...chain.chain, network: { ...chain.network, id: 1, name: 'Ethereum', testnet: false } }],
      ]),
    })
    const refused = await deploy(await makeCollection(api), { network_id: 1 })
    replacePorts({ chains: before })
    expect([...code(refused), refused.body.errors[0].field]).toEqual([422, 'mode_mismatch', 'network_id'])
  })

  test('type PLATFORM needs platform and refuses external', async () => {
    const id = await makeCollection(api)
    const missing = await deploy(id, { platform: null })
    expect([missing.status, missing.body.errors[0].field]).toEqual([400, 'platform'])
    const both = await deploy(id, { external: { address: OTHER, token_type: 'ERC721' } })
    expect([both.status, both.body.errors[0].field]).toEqual([400, 'external'])
  })

  test('an existing contract is adopted without a transaction', async () => {
    const theirs = getAddress(`0x${newId().replaceAll('-', '')}00000000`)
    const existing = await makeDeployedCollection(mine)
    const { cloneArgs, implementation } = await mine.ctx.db.collection.findFirstOrThrow({ where: { id: existing } })
    await chain.node.setCode({
      address: theirs,
      bytecode: cloneCode(implementation as `0x${string}`, cloneArgs as `0x${string}`),
    })
    const external = { type: 'EXTERNAL', platform: null, external: { address: theirs, token_type: 'ERC721' } }
    const id = await makeCollection(api)
    expect((await deploy(id, external)).body).toEqual({
      status: 'SUCCESS',
      type: 'EXTERNAL',
      network_id: 31337,
      transaction_id: null,
      contract: theirs,
      failure: null,
    })
    expect((await api.get(`/v1/collections/${id}`)).body).toMatchObject({
      contract: theirs,
      symbol: 'TEST',
      owner: chain.operator.address,
    })
    expect((await api.get(`/v1/collections/${id}`)).body.capabilities).toContain('ADMIN_MINT_SINGLE')

    const twice = await deploy(await makeCollection(api), external)
    expect([...code(twice), twice.body.errors[0].field]).toEqual([422, 'deployment_invalid', 'external.address'])
    const wrongType = await deploy(await makeCollection(api), {
      ...external,
      external: { address: theirs, token_type: 'ERC1155' },
    })
    expect([...code(wrongType), wrongType.body.errors[0].field]).toEqual([
      422,
      'deployment_invalid',
      'external.token_type',
    ])
    const nothing = await deploy(await makeCollection(api), {
      ...external,
      external: { address: OTHER, token_type: 'ERC721' },
    })
    expect([...code(nothing), nothing.body.errors[0].field]).toEqual([422, 'deployment_invalid', 'external.address'])
  })

  test('a foreign contract is adopted with what it reports about itself', async () => {
    const foreign = getAddress(`0x${newId().replaceAll('-', '')}11111111`)
    // Returns 1 from every call: no names, no owner, roles that are valid only by chance.
    await chain.node.setCode({ address: foreign, bytecode: '0x600160005260206000f3' })
    const id = await makeCollection(api, { royalty_info: null })
    expect(
      (await deploy(id, { type: 'EXTERNAL', platform: null, external: { address: foreign, token_type: 'ERC1155' } }))
        .body.status,
    ).toBe('SUCCESS')
    const { body } = await api.get(`/v1/collections/${id}`)
    expect(body).toMatchObject({ token_type: 'ERC1155', symbol: null, contract: foreign })
  })

  test('locked items limit the contract’s max supply and variant', async () => {
    const free = await makeCollection(api)
    const [one] = await makeItems(api, free, 3)
    expect((await deploy(free, { platform: { ...platform, max_supply: 2 } })).body.code).toBe('supply_invalid')
    expect((await deploy(free, { platform: { ...platform, max_supply: 3 } })).status).toBe(201)
    expect((await api.get(`/v1/items/${one}`)).body.max_supply).toBe(1)
    const five = await makeCollection(api)
    await makeItems(api, five, 1, { max_supply: 5 })
    expect(code(await deploy(five))).toEqual([422, 'supply_invalid'])
    expect((await deploy(five, { platform: { ...platform, variant: 'ERC1155' } })).status).toBe(201)
  })

  test('a changed royalty is sent to the deployed contract once', async () => {
    const id = await makeDeployedCollection(mine)
    await api.patch(`/v1/collections/${id}`, { royalty_info: { receiver: OTHER, amount_bps: 300 } })
    await api.patch(`/v1/collections/${id}`, { royalty_info: { receiver: OTHER, amount_bps: 300 } })
    const sent = await mine.ctx.db.transaction.findMany({ where: { collectionId: id, txType: 'SET_ROYALTY' } })
    expect(sent.map((row) => row.payload)).toEqual([{ token_id: null, receiver: OTHER, amount_bps: 300 }])
  })

  test('eight simultaneous requests open one transaction', async () => {
    const id = await makeCollection(api)
    const answers = await Promise.all(Array.from({ length: 8 }, () => deploy(id)))
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, ...Array(7).fill(409)])
    expect(await systemClient().transaction.count({ where: { collectionId: id } })).toBe(1)
  })
})

describe('public collections', () => {
  test('the list has the deployed, public collections of one organization', async () => {
    const gallery = await makeOrganization()
    const shown = [await makeDeployedCollection(gallery), await makeDeployedCollection(gallery)]
    const hidden = await makeDeployedCollection(gallery, { is_public: false })
    await makeCollection(callerOf(gallery.key))
    const all = await open.get(`/public/v1/collections?organization_id=${gallery.id}`)
    expect(all.body.results.map((row: { id: string }) => row.id)).toEqual(shown.toReversed())
    expect(all.body.total_results).toBe(2)
    const ids = async (query: string) =>
      (await open.get(`/public/v1/collections?organization_id=${gallery.id}&${query}`)).body.results.map(
        (row: { id: string }) => row.id,
      )
    expect(await ids('order_direction=ASC')).toEqual(shown)
    expect(await ids(`collection_id=${shown[0]}&collection_id=${hidden}`)).toEqual([shown[0]])
    expect(await ids(`collection_id=${shown[0]},${shown[1]}&network_id=31337`)).toEqual(shown.toReversed())
    expect(await ids('network_id=1')).toEqual([])
    expect((await open.get(`/public/v1/collections/${hidden}`)).status).toBe(404)
    expect((await open.get('/public/v1/collections')).body.errors[0]).toMatchObject({
      field: 'organization_id',
      code: 'required',
    })
    expect((await open.get(`/public/v1/collections?organization_id=${gallery.id}&limit=101`)).status).toBe(400)
  })

  test('paging by cursor shows each collection once', async () => {
    const gallery = await makeOrganization()
    const made = [
      await makeDeployedCollection(gallery),
      await makeDeployedCollection(gallery),
      await makeDeployedCollection(gallery),
    ]
    const seen: string[] = []
    for (let cursor = ''; ;) {
      const { body } = await open.get(`/public/v1/collections?organization_id=${gallery.id}&limit=2&cursor=${cursor}`)
      seen.push(...body.results.map((row: { id: string }) => row.id))
      if (!body.has_more) break
      cursor = body.cursor
    }
    expect(seen).toEqual(made.toReversed())
  })
})
