import { beforeAll, expect, test } from 'vitest'
import { type Chain, ChainUnavailable } from '../../lib/ports/chain/chain.ts'
import { startChain, type TestChain } from '../support/chain.ts'
import { makeRandomAddress } from '../support/claims.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { makeOnChainCollection, makeSender, tokenAbi721 } from '../support/sending.ts'

let testChain: TestChain
let organization: TestOrganization

beforeAll(async () => {
  testChain = await startChain()
  organization = await makeOrganization()
})

test('a reverting batch is split until the failing mint has its own transaction; the old id still shows it', async () => {
  const { api, itemIds, contract, collectionId } = await makeOnChainCollection(organization, testChain, { items: 5 })
  const to_addresses = itemIds.map(makeRandomAddress)
  const { body } = await api.post('/v1/mint-requests', { item_ids: itemIds, to_addresses })
  const together = body.mint_requests[0].transaction_id as string
  // Our contract skips mints that fail, so the fake chain reverts every call that has the fourth recipient.
  const rejected = to_addresses[3]!.slice(2).toLowerCase()
  const simulate: Chain['simulate'] = async (call) =>
    call.data.toLowerCase().includes(rejected)
      ? { ok: false, reason: 'The contract refused.', data: '0xbadbad00' }
      : testChain.chain.simulate(call)
  await makeSender({ ...testChain, chain: { ...testChain.chain, simulate } }).run()

  const rows = await organization.ctx.db.transaction.findMany({
    where: { collectionId, txType: 'ADMIN_MINT' },
    orderBy: { id: 'asc' },
  })
  expect(rows.map(({ state, mintCount, failure }) => [state, mintCount, failure])).toEqual([
    ['COMPLETED', 4, null],
    ['FAILED', 1, 'The contract refused.'],
  ])
  const failed = body.mint_requests[3].id as string
  const alone = (await api.get(`/v1/mint-requests/${rows[1]!.id}`)).body
  expect(alone).toMatchObject({
    id: failed,
    state: 'FAILED',
    failure: 'The contract refused.',
    transaction_id: rows[1]!.id,
  })
  const all = (await api.get(`/v1/mint-requests/${together}`)).body.mint_requests as { id: string; state: string }[]
  expect(all.map(({ id, state }) => [id, state])).toEqual(
    body.mint_requests.map(({ id }: { id: string }) => [id, id === failed ? 'FAILED' : 'COMPLETED']),
  )
  for (const at of [0, 1, 2, 4])
    expect(
      await testChain.client.readContract({
        address: contract,
        abi: tokenAbi721,
        functionName: 'ownerOf',
        args: [BigInt(at + 1)],
      }),
    ).toBe(to_addresses[at])
})

test('a batch stays PENDING while no node can simulate it', async () => {
  const { api, itemIds } = await makeOnChainCollection(organization, testChain, { items: 2 })
  const { body } = await api.post('/v1/mint-requests', { item_ids: itemIds, to_address: makeRandomAddress() })
  const simulate: Chain['simulate'] = () => Promise.reject(new ChainUnavailable('No node answers.'))
  await expect(makeSender({ ...testChain, chain: { ...testChain.chain, simulate } }).submit()).rejects.toThrow(
    'No node answers.',
  )
  expect((await api.get(`/v1/transactions/${body.mint_requests[0].transaction_id}`)).body.state).toBe('PENDING')
  await makeSender(testChain).run()
  expect((await api.get(`/v1/mint-requests/${body.mint_requests[0].id}`)).body.state).toBe('COMPLETED')
})
