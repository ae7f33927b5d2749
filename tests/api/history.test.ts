import { beforeAll, expect, test } from 'vitest'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { inTransaction } from '../../lib/platform/auth/context.ts'
import { networksFromEnv } from '../../lib/ports/chain/networks.ts'
import { viemChain } from '../../lib/ports/chain/viem-chain.ts'
import { newId } from '../../lib/core/id.ts'
import type { ChainLogRow } from '../../lib/onchain/indexer/moves-of.ts'
import { projectLogs } from '../../lib/onchain/indexer/project-logs.ts'
import { replacePorts } from '../../lib/ports/ports.ts'
import { callerOf } from '../support/call.ts'
import { makeCollection, ZERO_ADDRESS, makeAddress, makeTransfer1155, makeTransfer721 } from '../support/chain-logs.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { leaveDisagreements, MINTS } from '../support/verify-file.ts'

leaveDisagreements('A history holds more units than items count, to be shown exactly.', ...MINTS)

const api = callerOf()
let organization: TestOrganization

beforeAll(async () => {
  organization = await makeOrganization()
  const networks = networksFromEnv('1=http://127.0.0.1:1;31337=http://127.0.0.1:1;11155111=http://127.0.0.1:1', '')
  replacePorts({ chains: new Map(networks.map(({ network, rpcUrls }) => [network.id, viemChain(network, rpcUrls)])) })
})

const project = (logs: ChainLogRow[]) => inTransaction(systemContext(), (tx) => projectLogs(tx, logs))

/** An entry of the history or the owners list, as on the wire. */
type Entry = {
  type: string
  quantity: number
  address: string
  id: number
  data: { transaction: { block_number: number } }
}

/** All entries of a list, page by page. */
async function walk(url: string, afterEachPage: () => Promise<unknown> = async () => undefined): Promise<Entry[]> {
  const results: Entry[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const page = await api.get(`${url}${url.includes('?') ? '&' : '?'}cursor=${cursor}`)
    expect(page.status).toBe(200)
    results.push(...page.body.results)
    expect(page.body.has_more).toBe(page.body.cursor !== null)
    cursor = page.body.cursor as string | null
    await afterEachPage()
  }
  return results
}

test('history is paged in the chain’s order, newest first, and can be filtered by event type', async () => {
  const collection = await makeCollection(organization)
  const url = `/public/v1/items/${collection.itemIds[0]}/history`
  const moves = [makeTransfer721(collection, { block: 1 }, ZERO_ADDRESS, makeAddress(0), 1n)]
  for (let at = 1; at <= 8; at++)
    moves.push(
      makeTransfer721(
        collection,
        { block: 1 + Math.floor(at / 3), index: at },
        makeAddress(at - 1),
        makeAddress(at),
        1n,
      ),
    )
  moves.push(makeTransfer721(collection, { block: 300 }, makeAddress(8), ZERO_ADDRESS, 1n))
  await project(moves)

  const all = await walk(`${url}?limit=3`)
  expect(all.map(({ type }) => type)).toEqual(['BURN', ...Array<string>(8).fill('TRANSFER'), 'MINT'])
  expect(all.map(({ data }) => data.transaction.block_number)).toEqual([300, 3, 3, 3, 2, 2, 2, 1, 1, 1])
  expect(await walk(`${url}?limit=4&order_direction=ASC`)).toEqual(all.toReversed())
  const first = await api.get(`${url}?limit=1&event_type=TRANSFER`)
  expect(first.body.total_results).toBe(8)
  expect(first.body.results[0]).toEqual({
    type: 'TRANSFER',
    quantity: 1,
    timestamp: expect.stringMatching(/Z$/),
    data: {
      from: { address: makeAddress(7) },
      to: { address: makeAddress(8) },
      transaction: { tx_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/), block_number: 3, log_index: 8 },
    },
  })
  expect((await api.get(`${url}?event_type=MELT`)).status).toBe(400)
  expect((await api.get(`${url}?cursor=nonsense`)).body.code).toBe('invalid_cursor')
})

test('owners are ordered by address, so an owner who leaves between pages moves no other', async () => {
  const collection = await makeCollection(organization, { tokenType: 'ERC1155', items: 1, maxSupply: null })
  const url = `/public/v1/items/${collection.itemIds[0]}/owners`
  const people = Array.from({ length: 9 }, (_, at) => makeAddress(at))
  await project(
    people.map((to, index) =>
      makeTransfer1155(collection, { block: 1_001, index }, ZERO_ADDRESS, to, [1n], [BigInt(index + 1)]),
    ),
  )
  const all = await walk(`${url}?limit=4&order_direction=ASC`)
  expect(all.map(({ quantity }) => quantity).sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
  const addresses = all.map(({ address }) => address)
  expect(await walk(`${url}?limit=2`)).toEqual(all.toReversed())

  // The first owner sells everything to the last one in the middle of the walk.
  let sold = false
  const walked = await walk(`${url}?limit=3&order_direction=ASC`, async () => {
    if (sold) return
    sold = true
    await project([
      makeTransfer1155(
        collection,
        { block: 1_002 },
        addresses[0] as `0x${string}`,
        addresses[8] as `0x${string}`,
        [1n],
        [BigInt(all[0]!.quantity)],
      ),
    ])
  })
  expect(walked.map(({ address }) => address)).toEqual(addresses)
  expect((await api.get(url)).body.total_results).toBe(8)
})

test('a quantity above the largest safe integer is shown as that integer', async () => {
  const collection = await makeCollection(organization, { tokenType: 'ERC1155', items: 1, maxSupply: null })
  await project([makeTransfer1155(collection, { block: 2_001 }, ZERO_ADDRESS, makeAddress(1), [1n], [2n ** 200n])])
  expect((await api.get(`/public/v1/items/${collection.itemIds[0]}/owners`)).body.results[0].quantity).toBe(
    Number.MAX_SAFE_INTEGER,
  )
})

test('history and owners of a private collection’s item or an unknown item are not found', async () => {
  const hidden = await makeCollection(organization, { isPublic: false })
  for (const id of [hidden.itemIds[0], newId(), 'nonsense'])
    for (const what of ['history', 'owners']) expect((await api.get(`/public/v1/items/${id}/${what}`)).status).toBe(404)
})

test('networks are listed with id, name and whether each is a testnet', async () => {
  const page = await api.get('/public/v1/networks?limit=2')
  expect(page.body).toMatchObject({ has_more: true, total_results: 3 })
  expect(page.body.results).toEqual([
    { id: 11155111, name: 'Sepolia', testnet: true },
    { id: 31337, name: 'Local', testnet: true },
  ])
  expect((await api.get(`/public/v1/networks?limit=2&cursor=${page.body.cursor}`)).body.results).toEqual([
    { id: 1, name: 'Ethereum', testnet: false },
  ])
  expect((await walk('/public/v1/networks?limit=1&order_direction=ASC')).map(({ id }) => id)).toEqual([
    1, 31337, 11155111,
  ])
})

test('each listed capability has an ABI, and other names are not found', async () => {
  const { capabilities } = (await api.get('/public/v1/capabilities')).body
  expect(capabilities).toContain('ADMIN_MINT_MULTIPLE')
  for (const name of capabilities) {
    const { body } = await api.get(`/public/v1/capabilities/${name}`)
    expect(body.capability).toBe(name)
    expect(body.abi.length).toBeGreaterThan(0)
    expect(body.abi[0]).toMatchObject({ type: 'function' })
  }
  for (const name of ['FLY', 'constructor', '__proto__'])
    expect((await api.get(`/public/v1/capabilities/${name}`)).status).toBe(404)
})

test('token metadata is public, also of private collections, by decimal id or 64 hex digits', async () => {
  const { ctx, id: organizationId } = organization
  const collection = await makeCollection(organization, { isPublic: false, items: 1 })
  await ctx.db.collection.update({ where: { id: collection.id }, data: { externalLink: 'https://example.com/c' } })
  const attributes = {
    title: 'Sunrise',
    description: 'At six.',
    image_url: 'https://example.com/sunrise.png',
    colour: 'gold',
    edition: 7,
    tags: ['a', 'b'],
    rare: true,
    nested: { a: 1 },
    none: null,
  }
  await ctx.db.item.create({
    data: {
      id: newId(),
      organizationId,
      collectionId: collection.id,
      attributes,
      tokenId: '255',
      lockedAt: new Date(),
      maxSupply: 1n,
    },
  })
  const url = `/public/v1/metadata/${collection.id}`
  const expected = {
    name: 'Sunrise',
    description: 'At six.',
    image: 'https://example.com/sunrise.png',
    external_url: 'https://example.com/c',
    attributes: [
      { trait_type: 'colour', value: 'gold' },
      { trait_type: 'edition', value: 7 },
      { trait_type: 'tags', value: 'a' },
      { trait_type: 'tags', value: 'b' },
      { trait_type: 'rare', value: true },
    ],
  }
  const answer = await api.get(`${url}/255`)
  expect(answer.body).toMatchObject({ ...expected, attributes: expect.arrayContaining(expected.attributes) })
  expect(answer.body.attributes).toHaveLength(expected.attributes.length)
  expect((await api.get(`${url}/${'ff'.padStart(64, '0')}`)).body).toEqual(answer.body)
  expect((await api.get(`${url}/0255`)).body).toEqual(answer.body)
  expect((await api.get(`${url}/${'FF'.padStart(64, '0')}`)).body).toEqual(answer.body)
  expect((await api.get(`${url}/1`)).body).toEqual({
    name: 'Item 1',
    image: expect.stringMatching(/\/media\/art\/.*\.svg$/),
    external_url: 'https://example.com/c',
    attributes: [],
  })
  // 0x10 is 16, of which no digit is a letter, and isn't token 10.
  const sixteen = { tokenId: '16', attributes: { title: 'Sixteen' } }
  const ten = { tokenId: '10', attributes: { title: 'Ten' } }
  for (const item of [sixteen, ten])
    await ctx.db.item.create({
      data: {
        id: newId(),
        organizationId,
        collectionId: collection.id,
        lockedAt: new Date(),
        maxSupply: 1n,
        ...item,
      },
    })
  expect((await api.get(`${url}/${'10'.padStart(64, '0')}`)).body.name).toBe('Sixteen')
  expect((await api.get(`${url}/${'a'.padStart(64, '0')}`)).body.name).toBe('Ten')
  expect((await api.get(`${url}/${'99'.padStart(64, '0')}`)).status).toBe(404)
  for (const path of ['/2', '/ff', '/-1', `/${'1'.repeat(79)}`]) expect((await api.get(url + path)).status).toBe(404)
  expect((await api.get(`/public/v1/metadata/${newId()}/1`)).status).toBe(404)
})

test('blanks and letters with marks in addresses are escaped in metadata', async () => {
  const { ctx, id: organizationId } = organization
  const collection = await makeCollection(organization, { items: 0 })
  const given = 'https://bücher.example/schöne bilder/a%20b (1).png?x="1"'
  const escaped = 'https://xn--bcher-kva.example/sch%C3%B6ne%20bilder/a%20b%20(1).png?x=%221%22'
  const attributes = { title: 'Sunrise', image_url: given, animation_url: given, external_url: 'none yet' }
  const row = { organizationId, collectionId: collection.id, lockedAt: new Date(), maxSupply: 1n }
  await ctx.db.item.create({ data: { id: newId(), ...row, attributes, tokenId: '1' } })
  await ctx.db.collection.update({ where: { id: collection.id }, data: { imageUrl: given, externalLink: given } })
  const url = `/public/v1/metadata/${collection.id}`
  expect((await api.get(`${url}/1`)).body).toMatchObject({
    image: escaped,
    animation_url: escaped,
    external_url: 'none yet',
  })
  expect((await api.get(url)).body).toMatchObject({ image: escaped, external_link: escaped })
})

test('before its reveal an item’s metadata is the preview, and stats count no attributes', async () => {
  const { ctx } = organization
  const collection = await makeCollection(organization, { items: 1 })
  await ctx.db.item.updateMany({
    where: { collectionId: collection.id },
    data: { attributes: { title: 'Secret', kind: 'dragon' } },
  })
  await ctx.db.collection.update({
    where: { id: collection.id },
    data: { revealStrategy: 'DELAYED', previewMetadata: { title: 'A sealed box' } },
  })
  expect((await api.get(`/public/v1/metadata/${collection.id}/1`)).body).toEqual({
    name: 'A sealed box',
    image: expect.stringMatching(/\/media\/art\/.*\.svg$/),
    attributes: [],
  })
  expect((await api.get(`/public/v1/collections/${collection.id}/stats`)).body.attributes).toEqual({})
})

test('collection metadata has the fields that marketplaces read', async () => {
  const collection = await makeCollection(organization)
  await organization.ctx.db.collection.update({
    where: { id: collection.id },
    data: {
      symbol: 'SUN',
      description: 'Suns.',
      imageUrl: 'https://example.com/c.png',
      headerImageUrl: 'https://example.com/h.png',
      royaltyReceiver: makeAddress(4),
      royaltyBps: 250,
    },
  })
  expect((await api.get(`/public/v1/metadata/${collection.id}`)).body).toEqual({
    name: collection.id,
    symbol: 'SUN',
    description: 'Suns.',
    image: 'https://example.com/c.png',
    banner_image: 'https://example.com/h.png',
    seller_fee_basis_points: 250,
    fee_recipient: makeAddress(4),
  })
  expect((await api.get(`/public/v1/metadata/${newId()}`)).status).toBe(404)
})

test('stats count attributes, items, mints and owners', async () => {
  const { ctx } = organization
  const collection = await makeCollection(organization, { items: 3 })
  const kinds = [
    { colour: 'red', size: 1 },
    { colour: 'red', tags: ['x', 'y', 'x'] },
    { colour: 'blue', tags: ['y'] },
  ]
  for (const [at, kind] of kinds.entries())
    await ctx.db.item.update({
      where: { id: collection.itemIds[at]! },
      data: { attributes: { title: `T${at}`, description: 'd', ...kind } },
    })
  await project([
    makeTransfer721(collection, { block: 3_001 }, ZERO_ADDRESS, makeAddress(1), 1n),
    makeTransfer721(collection, { block: 3_001, index: 1 }, ZERO_ADDRESS, makeAddress(1), 2n),
  ])
  expect((await api.get(`/public/v1/collections/${collection.id}/stats`)).body).toEqual({
    attributes: { colour: { red: 2, blue: 1 }, size: { 1: 1 }, tags: { x: 1, y: 2 } },
    items: 3,
    minted: 2,
    owners: 1,
  })
  const hidden = await makeCollection(organization, { isPublic: false })
  expect((await api.get(`/public/v1/collections/${hidden.id}/stats`)).status).toBe(404)
})

test('the relay answers 503 when the chain’s node is unreachable', async () => {
  const { status, body } = await api.post('/public/v1/relay/31337', { method: 'eth_blockNumber' })
  expect([status, body.code]).toEqual([503, 'unavailable'])
})
