import { beforeAll, expect, test } from 'vitest'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { encodeAdminMint1155, encodeAdminMint721 } from '../../lib/core/contracts/calls.ts'
import { verifyRecords } from '../../lib/data/reconciliation/verify-records.ts'
import { recover, sendForgotten } from '../support/by-hand.ts'
import { startChain, type TestChain } from '../support/chain.ts'
import { makeRandomAddress } from '../support/claims.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { makeOnChainCollection } from '../support/sending.ts'

let testChain: TestChain
let organization: TestOrganization

beforeAll(async () => {
  testChain = await startChain()
  organization = await makeOrganization()
})

const index = () => recover(testChain)

test('a mint that our operator made before, to the same recipient, is taken for delivered and not sent again', async () => {
  const { api, itemIds, contract, sender } = await makeOnChainCollection(organization, testChain, { items: 2 })
  const [first, second] = [makeRandomAddress(), makeRandomAddress()]
  const { body } = await api.post('/v1/mint-requests', { item_ids: itemIds, to_addresses: [first, second] })
  const txHash = await sendForgotten(testChain, {
    to: contract,
    data: encodeAdminMint721([{ to: first, tokenId: 1n }]),
  })
  await index()
  await sender.run()
  await index()
  await sender.run()
  const [delivered, sent] = await Promise.all(
    body.mint_requests.map(async ({ id }: { id: string }) => (await api.get(`/v1/mint-requests/${id}`)).body),
  )
  expect(delivered).toMatchObject({ state: 'COMPLETED', tx_hash: txHash })
  expect(sent).toMatchObject({ state: 'COMPLETED' })
  const transaction = await api.get(`/v1/transactions/${delivered.transaction_id}`)
  expect(transaction.body).toMatchObject({ state: 'COMPLETED', on_chain_status: 'SUCCESS', tx_hash: txHash })
  const holds = await organization.ctx.db.hold.findMany({ where: { itemId: { in: itemIds } } })
  expect(holds.map(({ state }) => state)).toEqual(['CONSUMED', 'CONSUMED'])
  expect(await verifyRecords(systemContext('test'))).toEqual([])
})

test('a mint of the token that our operator made to another recipient is no delivery', async () => {
  const { api, itemIds, contract, sender } = await makeOnChainCollection(organization, testChain)
  const { body } = await api.post('/v1/mint-requests', { item_id: itemIds[0], to_address: makeRandomAddress() })
  await sendForgotten(testChain, { to: contract, data: encodeAdminMint721([{ to: makeRandomAddress(), tokenId: 1n }]) })
  await index()
  await sender.submitAll()
  const mint = await api.get(`/v1/mint-requests/${body.mint_requests[0].id}`)
  expect(mint.body).toMatchObject({ state: 'FAILED', failure: 'This token was minted before.' })
})

test('ERC-1155: a request number that our forgotten mint used is taken for delivered, and no unit is minted twice', async () => {
  const { api, itemIds, contract, sender } = await makeOnChainCollection(organization, testChain, {
    variant: 'ERC1155',
    max_supply: 10,
  })
  const to = makeRandomAddress()
  const { body } = await api.post('/v1/mint-requests', { item_id: itemIds[0], to_address: to, quantity: 3 })
  const { requestNumber } = await organization.ctx.db.mintRequest.findFirstOrThrow({
    where: { id: body.mint_requests[0].id },
  })
  await sendForgotten(testChain, {
    to: contract,
    data: encodeAdminMint1155([{ to, tokenId: 1n, amount: 3n, requestId: requestNumber }]),
  })
  await sender.submitAll()
  expect((await api.get(`/v1/mint-requests/${body.mint_requests[0].id}`)).body.state).toBe('WAITING')
  await index()
  await sender.submitAll()
  expect((await api.get(`/v1/mint-requests/${body.mint_requests[0].id}`)).body.state).toBe('COMPLETED')
  expect(await organization.ctx.db.item.findFirstOrThrow({ where: { id: itemIds[0]! } })).toMatchObject({
    minted: 3n,
    held: 0n,
  })
  expect(await verifyRecords(systemContext('test'))).toEqual([])
})

test('one forgotten mint delivers one of two equal requests; the other one is minted', async () => {
  const { api, itemIds, contract, sender } = await makeOnChainCollection(organization, testChain, {
    variant: 'ERC1155',
    max_supply: 10,
  })
  const to = makeRandomAddress()
  const request = { item_id: itemIds[0], to_address: to, quantity: 2 }
  const first = (await api.post('/v1/mint-requests', request)).body.mint_requests[0].id as string
  const { requestNumber } = await organization.ctx.db.mintRequest.findFirstOrThrow({ where: { id: first } })
  const second = (await api.post('/v1/mint-requests', request)).body.mint_requests[0].id as string
  await sendForgotten(testChain, {
    to: contract,
    data: encodeAdminMint1155([{ to, tokenId: 1n, amount: 2n, requestId: requestNumber }]),
  })
  await index()
  await sender.run()
  await index()
  await sender.run()
  for (const id of [first, second])
    expect((await api.get(`/v1/mint-requests/${id}`)).body).toMatchObject({ id, state: 'COMPLETED' })
  expect((await organization.ctx.db.item.findFirstOrThrow({ where: { id: itemIds[0]! } })).minted).toBe(4n)
  expect(await verifyRecords(systemContext('test'))).toEqual([])
})
