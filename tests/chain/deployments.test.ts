import type { Address, Hex } from 'viem'
import { beforeAll, expect, test } from 'vitest'
import { encodeCreate, saltOf } from '../../lib/core/contracts/calls.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { sendByHand } from '../support/by-hand.ts'
import { callerOf } from '../support/call.ts'
import { startChain, type TestChain } from '../support/chain.ts'
import { makeRandomAddress } from '../support/claims.ts'
import { makeCollection } from '../support/collections.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { makeOnChainCollection, makeSender } from '../support/sending.ts'

let testChain: TestChain
let organization: TestOrganization

beforeAll(async () => {
  testChain = await startChain()
  organization = await makeOrganization()
})

test('a contract already deployed by a foreign transaction with the same arguments counts as deployed', async () => {
  const api = callerOf(organization.key)
  const collectionId = await makeCollection(api, {
    deployment_request: { network_id: 31337, platform: { symbol: 'TEST', variant: 'ERC721' } },
  })
  const { implementation, cloneArgs } = await organization.ctx.db.collection.findFirstOrThrow({
    where: { id: collectionId },
  })
  const data = encodeCreate({
    implementation: implementation as Address,
    salt: saltOf(collectionId),
    args: cloneArgs as Hex,
  })
  await sendByHand(testChain, { to: testChain.contracts.factory, data })
  await makeSender(testChain).run()
  expect(await organization.ctx.db.collection.findFirstOrThrow({ where: { id: collectionId } })).toMatchObject({
    deploymentStatus: 'SUCCESS',
  })
})

test('a deployment without the expected contract is FAILED with an alarm, and can be requested again', async () => {
  const api = callerOf(organization.key)
  const request = { network_id: 31337, platform: { symbol: 'TEST', variant: 'ERC721' } }
  const collectionId = await makeCollection(api, { deployment_request: request })
  const code = await testChain.client.getCode({ address: testChain.contracts.factory })
  await testChain.node.setCode({ address: testChain.contracts.factory, bytecode: '0x00' })
  await makeSender(testChain).run()
  await testChain.node.setCode({ address: testChain.contracts.factory, bytecode: code! })
  const { deploymentStatus, deploymentTransactionId } = await organization.ctx.db.collection.findFirstOrThrow({
    where: { id: collectionId },
  })
  expect(deploymentStatus).toBe('FAILED')
  expect(
    await systemContext('test').db.alarm.findMany({ where: { kind: 'deployment_unexpected', resolvedAt: null } }),
  ).toMatchObject([{ subject: deploymentTransactionId }])
  expect((await api.post(`/v1/collections/${collectionId}/deployment-request`, request)).status).toBe(201)
  await makeSender(testChain).run()
  expect(await organization.ctx.db.collection.findFirstOrThrow({ where: { id: collectionId } })).toMatchObject({
    deploymentStatus: 'SUCCESS',
  })
})

test('mints wait until the contract has code', async () => {
  const { api, itemIds, sender, contract } = await makeOnChainCollection(organization, testChain)
  const code = await testChain.client.getCode({ address: contract })
  await testChain.node.setCode({ address: contract, bytecode: '0x' })
  const { body } = await api.post('/v1/mint-requests', { item_id: itemIds[0], to_address: makeRandomAddress() })
  expect(await sender.submit()).toBe('idle')
  await testChain.node.setCode({ address: contract, bytecode: code! })
  await sender.run()
  expect((await api.get(`/v1/mint-requests/${body.mint_requests[0].id}`)).body.state).toBe('COMPLETED')
})
