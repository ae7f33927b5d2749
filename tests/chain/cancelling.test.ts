import { beforeAll, expect, test } from 'vitest'
import { startChain, type TestChain, withoutMining } from '../support/chain.ts'
import { makeRandomAddress } from '../support/claims.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { makeOnChainCollection } from '../support/sending.ts'

let testChain: TestChain
let organization: TestOrganization

beforeAll(async () => {
  testChain = await startChain()
  organization = await makeOrganization()
})

test('a waiting transaction that is cancelled is CANCELLED at once, frees its units and sends nothing', async () => {
  const { api, itemIds, sender, collectionId } = await makeOnChainCollection(organization, testChain)
  const { body } = await api.post('/v1/mint-requests', { item_id: itemIds[0], to_address: makeRandomAddress() })
  const id = body.mint_requests[0].transaction_id as string
  const cancelled = await api.post(`/v1/transactions/${id}/cancel`)
  expect([cancelled.status, cancelled.body.state]).toEqual([200, 'CANCELLED'])
  expect(await sender.submit()).toBe('idle')
  expect((await organization.ctx.db.item.findFirstOrThrow({ where: { collectionId } })).held).toBe(0n)
  const again = await api.post(`/v1/transactions/${id}/cancel`)
  expect([again.status, again.body.code]).toEqual([409, 'transaction_finished'])
})

test('cancelling a sent transaction: an empty transaction takes its nonce', async () => {
  const { api, itemIds, sender, collectionId } = await makeOnChainCollection(organization, testChain)
  const { body } = await api.post('/v1/mint-requests', { item_id: itemIds[0], to_address: makeRandomAddress() })
  const id = body.mint_requests[0].transaction_id as string
  await withoutMining(testChain, async () => {
    await sender.submitAll()
    expect((await api.post(`/v1/transactions/${id}/cancel`)).body).toMatchObject({
      state: 'SUBMITTED',
      cancel_requested_at: expect.any(String),
    })
    await sender.watch()
    await testChain.node.mine({ blocks: 1 })
    await sender.watch()
  })
  expect((await api.get(`/v1/transactions/${id}`)).body).toMatchObject({ state: 'CANCELLED', on_chain_status: null })
  expect((await api.get(`/v1/mint-requests/${id}`)).body.state).toBe('CANCELLED')
  const item = await organization.ctx.db.item.findFirstOrThrow({ where: { collectionId } })
  expect([item.held, item.minted]).toEqual([0n, 0n])
})

test('cancelling a mined transaction: it is COMPLETED', async () => {
  const { api, itemIds, sender } = await makeOnChainCollection(organization, testChain)
  const { body } = await api.post('/v1/mint-requests', { item_id: itemIds[0], to_address: makeRandomAddress() })
  const id = body.mint_requests[0].transaction_id as string
  await sender.submitAll()
  await sender.mined()
  expect((await api.post(`/v1/transactions/${id}/cancel`)).status).toBe(200)
  await sender.watch()
  expect((await api.get(`/v1/transactions/${id}`)).body).toMatchObject({
    state: 'COMPLETED',
    on_chain_status: 'SUCCESS',
  })
})
