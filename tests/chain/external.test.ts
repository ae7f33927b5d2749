import { createWalletClient, encodeFunctionData, getAddress, http, parseEther, type Address, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import {
  cloneAddress,
  encodeAdminMint721,
  encodeCloneArgs,
  encodeCreate,
  encodeSetRoles,
  encodeTransfer721,
  ROLES,
  saltOf,
} from '../../lib/core/contracts/calls.ts'
import { moveClock, resetClock } from '../../lib/core/clock.ts'
import { newId } from '../../lib/core/id.ts'
import { takeSnapshots } from '../../lib/data/snapshots/take-snapshots.ts'
import { callerOf, code } from '../support/call.ts'
import { startChain, type TestChain } from '../support/chain.ts'
import { deployPlainErc721, plainErc721Abi } from '../support/foreign-contract.ts'
import { readMetadata } from '../support/foreign-metadata.ts'
import { catchUpWith } from '../support/indexing.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { receiptOf } from '../support/receipt-of.ts'
import { makeSender, tokenAbi721 } from '../support/sending.ts'

let local: TestChain
let mine: TestOrganization
let api: ReturnType<typeof callerOf>
const open = callerOf()
const foreignOwner = privateKeyToAccount(generatePrivateKey())
const collector = privateKeyToAccount(generatePrivateKey())

beforeAll(async () => {
  local = await startChain()
  for (const { address } of [foreignOwner, collector])
    await local.node.setBalance({ address, value: parseEther('100') })
  mine = await makeOrganization()
  api = callerOf(mine.key)
})
afterEach(resetClock)

const catchUp = () => catchUpWith(local.chain)

async function send(from: PrivateKeyAccount, to: Address, data: Hex) {
  const wallet = createWalletClient({ account: from, chain: foundry, transport: http(local.rpcUrl) })
  return receiptOf(local.client, await wallet.sendTransaction({ to, data }))
}

/** Our contract code deployed by a foreign owner, who alone may mint. */
async function deployForeignClone(symbol = 'FOR'): Promise<Address> {
  const { factory, implementation721: implementation } = local.contracts
  const id = newId()
  const args = encodeCloneArgs({
    tokenType: 'ERC721',
    collectionId: id,
    name: 'Foreign',
    symbol,
    owner: foreignOwner.address,
    minter: foreignOwner.address,
    signer: foreignOwner.address,
    maxSupply: null,
    manualIds: false,
    soulbound: false,
    royaltyReceiver: null,
    royaltyBps: 0,
  })
  await send(foreignOwner, factory, encodeCreate({ implementation, salt: saltOf(id), args }))
  return getAddress(cloneAddress({ factory, implementation, salt: saltOf(id), args }))
}

const connect = async (address: Address) => {
  const made = await api.post('/v1/collections', {
    name: `Foreign ${newId()}`,
    deployment_request: { network_id: 31337, type: 'EXTERNAL', external: { address, token_type: 'ERC721' } },
  })
  if (made.status !== 201) throw new Error(JSON.stringify(made.body))
  return made.body as { id: string; name: string }
}
test('a foreign contract’s symbol is cleaned and bounded, and may be empty', async () => {
  const shown = async (symbol: string) => {
    const { id } = await connect(await deployForeignClone(symbol))
    return (await api.get(`/v1/collections/${id}`)).body.symbol as string | null
  }
  expect(await shown('\0A\n\u0007B\0')).toBe('A B')
  expect(await shown('')).toBeNull()
})

const itemsOf = async (id: string) =>
  (await open.get(`/public/v1/items?collection_ids=${id}&order_direction=ASC`)).body.results as {
    id: string
    token_id: string
    title: string
    attributes: object
  }[]
const mintPlain = (contract: Address, to: Address, id: bigint) =>
  send(foreignOwner, contract, encodeFunctionData({ abi: plainErc721Abi, functionName: 'mint', args: [to, id] }))

test('a foreign contract is indexed from its first block: its tokens become items with its metadata', async () => {
  const contract = await deployPlainErc721(local, foreignOwner)
  for (const id of [1n, 2n, 3n, 9n]) await mintPlain(contract, collector.address, id)
  await local.node.setNextBlockTimestamp({ timestamp: BigInt(Math.floor(Date.now() / 1000) + 195) })
  moveClock(200_000)
  const { id, name } = await connect(contract)
  expect((await api.get(`/v1/collections/${id}`)).body).toMatchObject({
    contract,
    symbol: 'PLN',
    capabilities: ['ERC721', 'EIP165'],
    deployment: { type: 'EXTERNAL', status: 'SUCCESS' },
  })
  await catchUp()
  const before = await itemsOf(id)
  expect(before.map(({ token_id, title }) => [token_id, title])).toEqual(
    expect.arrayContaining([
      ['1', `${name} #1`],
      ['9', `${name} #9`],
    ]),
  )
  expect(await mine.ctx.db.event.count({ where: { type: 'item.minted' } })).toBe(0)

  await readMetadata()
  const items = await itemsOf(id)
  const shown = new Map(items.map((item) => [item.token_id, item]))
  expect(shown.get('1')).toMatchObject({
    title: 'Plain one',
    description: 'Says what it is.',
    attributes: { colour: { value: 'red' }, tag: { value: ['a', 'b'] } },
    media: { image: null },
  })
  expect([shown.get('2')!.title, shown.get('3')!.title, shown.get('9')!.title]).toEqual([
    'Plain two',
    `${name} #3`,
    `${name} #9`,
  ])
  const terms = await open.get(
    `/public/v1/transfer-terms?collection_id=${id}&token_id=1&from_address=${collector.address}`,
  )
  expect(terms.body).toMatchObject({
    transferable: true,
    signed: false,
    gas_payer: 'HOLDER',
    reason: expect.stringContaining('takes no signed transfers'),
    reason_code: 'not_signed',
  })
  const waiting = await mine.ctx.db.item.findMany({ where: { collectionId: id, metadataDueAt: { not: null } } })
  expect(waiting.map(({ tokenId }) => tokenId).sort()).toEqual(['3', '9'])
  expect(
    await mine.ctx.db.item.findMany({ where: { collectionId: id }, select: { minted: true, maxSupply: true } }),
  ).toEqual(Array.from({ length: 4 }, () => ({ minted: 1n, maxSupply: 1n })))

  await send(collector, contract, encodeTransfer721(collector.address, foreignOwner.address, 1n))
  await catchUp()
  const itemId = shown.get('1')!.id
  expect((await open.get(`/public/v1/items/${itemId}/owners`)).body.results).toEqual([
    { address: foreignOwner.address, quantity: 1 },
  ])
  expect(
    (await open.get(`/public/v1/items/${itemId}/history`)).body.results.map(({ type }: { type: string }) => type),
  ).toEqual(['TRANSFER', 'MINT'])
  expect(await mine.ctx.db.event.count({ where: { type: 'item.transferred' } })).toBe(1)
  expect((await open.get(`/public/v1/collections/${id}/stats`)).body).toMatchObject({
    items: 4,
    minted: 4,
    owners: 2,
    attributes: { colour: { red: 1 } },
  })
})

test('listings, claims and mints of a foreign contract are refused with the reason', async () => {
  const contract = await deployPlainErc721(local, foreignOwner)
  await mintPlain(contract, collector.address, 1n)
  const { id } = await connect(contract)
  await catchUp()
  const [item] = await itemsOf(id)
  const added = (await api.post('/v1/items', { collection_id: id, attributes: { title: 'Ours' } })).body.id
  expect((await api.post('/v1/items/lock', { item_id: added })).body.lock_outputs).toEqual([
    { item_id: added, token_id: '2' },
  ])
  for (const item_id of [item!.id, added]) {
    expect(
      code(
        await api.post('/v1/listings', {
          item_id,
          quantity_listed: 1,
          price: 0,
          currency: 'ETH',
          payment_providers: ['ORGANIZATION'],
        }),
      ),
    ).toEqual([422, 'provider_not_configured'])
    expect(code(await api.post('/v1/email-claims', { item_id, email: 'ada@example.com' }))).toEqual([
      422,
      'mint_not_allowed',
    ])
    const refused = await api.post('/v1/mint-requests', { item_id, to_address: collector.address })
    expect([...code(refused), refused.body.detail]).toEqual([
      422,
      'mint_not_allowed',
      expect.stringMatching(/does not let us mint/),
    ])
  }
})

test('after our operator gets the minter role items can be sold and minted; after its removal they cannot', async () => {
  const contract = await deployForeignClone()
  await send(foreignOwner, contract, encodeAdminMint721([{ to: collector.address, tokenId: 1n }]))
  const { id } = await connect(contract)
  await catchUp()
  expect((await api.get(`/v1/collections/${id}`)).body).toMatchObject({
    owner: foreignOwner.address,
    capabilities: ['ERC721', 'EIP165'],
  })
  const again = () =>
    api.post(`/v1/collections/${id}/deployment-request`, {
      network_id: 31337,
      type: 'EXTERNAL',
      external: { address: contract, token_type: 'ERC721' },
    })
  await send(foreignOwner, contract, encodeSetRoles(local.operator.address, ROLES.MINTER))
  expect((await again()).status).toBe(201)
  expect((await api.get(`/v1/collections/${id}`)).body.capabilities).toEqual(
    expect.arrayContaining(['ADMIN_MINT_SINGLE', 'TRANSFER_WITH_SIGNATURE']),
  )

  const itemId = (await api.post('/v1/items', { collection_id: id, attributes: { title: 'Ours' } })).body.id
  expect((await api.post('/v1/items/lock', { item_id: itemId })).body.lock_outputs).toEqual([
    { item_id: itemId, token_id: '2' },
  ])
  const listed = await api.post('/v1/listings', {
    item_id: itemId,
    quantity_listed: 1,
    price: 0,
    currency: 'ETH',
    payment_providers: ['ORGANIZATION'],
  })
  const bought = await open.post('/public/v1/purchase-intents', {
    listing_id: listed.body.id,
    buyer: { eth_address: collector.address },
  })
  expect(bought.status).toBe(201)
  await makeSender(local).run()
  await catchUp()
  expect(
    await local.client.readContract({ address: contract, abi: tokenAbi721, functionName: 'ownerOf', args: [2n] }),
  ).toBe(collector.address)
  expect(
    (await open.get(`/public/v1/purchase-intents/${bought.body.id}?secret=${bought.body.secret}`)).body,
  ).toMatchObject({ fulfillment_status: 'COMPLETED', delivery: { state: 'CONFIRMED', token_id: '2' } })

  await send(foreignOwner, contract, encodeSetRoles(local.operator.address, 0n))
  await again()
  expect(code(await api.post('/v1/mint-requests', { item_id: itemId, to_address: collector.address }))).toEqual([
    422,
    'mint_not_allowed',
  ])
  expect(
    code(
      await api.post(`/v1/collections/${id}/deployment-request`, {
        network_id: 31337,
        platform: { symbol: 'X', variant: 'ERC721' },
      }),
    ),
  ).toEqual([409, 'collection_already_deployed'])
})

test.each(['our contract code deployed by another owner', 'a foreign ERC-721 contract'])(
  'a snapshot has the holders of %s',
  async (which) => {
    const ours = which.includes('our')
    const contract = ours ? await deployForeignClone() : await deployPlainErc721(local, foreignOwner)
    const mint = (to: Address, tokenId: bigint) =>
      ours ? send(foreignOwner, contract, encodeAdminMint721([{ to, tokenId }])) : mintPlain(contract, to, tokenId)
    for (const id of [1n, 2n]) await mint(collector.address, id)
    const { blockNumber } = await mint(foreignOwner.address, 3n)
    await send(collector, contract, encodeTransfer721(collector.address, foreignOwner.address, 2n))
    const { id } = await connect(contract)
    const snapshots = await Promise.all(
      [blockNumber, blockNumber + 1n].map(
        async (block) =>
          (await api.post('/v1/snapshots', { name: newId(), collection_id: id, block_number: Number(block) })).body
            .id as string,
      ),
    )
    await catchUp()
    await takeSnapshots(systemContext())
    const csv = (...rows: [string, number][]) =>
      ['address,quantity', ...rows.sort(([a], [b]) => (a < b ? -1 : 1)).map((row) => row.join(',')), ''].join('\r\n')
    const texts = await Promise.all(
      snapshots.map(async (one) => (await api.get(`/v1/snapshots/${one}/holders.csv`)).body),
    )
    expect(texts).toEqual([
      csv([collector.address, 2], [foreignOwner.address, 1]),
      csv([collector.address, 1], [foreignOwner.address, 2]),
    ])
  },
)
