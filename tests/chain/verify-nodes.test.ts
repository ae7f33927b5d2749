import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { Prisma } from '../../generated/prisma/client.ts'
import { nothingCompared } from '../../lib/data/reconciliation/finding.ts'
import { verifyRecords } from '../../lib/data/reconciliation/verify-records.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { type Block, CallUndecided, type Network } from '../../lib/ports/chain/chain.ts'
import { viemChain } from '../../lib/ports/chain/viem-chain.ts'
import { startChain, type TestChain, withReads } from '../support/chain.ts'
import { makeRandomAddress } from '../support/claims.ts'
import { startFakeNode } from '../support/fake-node.ts'
import { startLyingNode } from '../support/lying-node.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import {
  findDisagreements,
  forgetCollections,
  makeFollowedCollection,
  makeMinted,
  setChains,
} from '../support/verifying.ts'

let local: TestChain
let organization: TestOrganization
const worker = () => systemContext('test')

beforeAll(async () => {
  local = await startChain()
})
beforeEach(async () => {
  organization = await makeOrganization()
})
afterEach(async () => {
  setChains(local.chain)
  await forgetCollections()
})

test('a node that leaves out logs while books and chain are compared is corrected by another one', async () => {
  const { collectionId } = await makeMinted(organization, local)
  const lying = await startLyingNode({ target: local.rpcUrl })
  lying.lie('empty_logs', 1)
  setChains(viemChain(local.network, [lying.url, local.rpcUrl]))
  expect(await findDisagreements()).toEqual([])
  expect(lying.lies.empty_logs).toBeGreaterThan(0)
  setChains(viemChain(local.network, [lying.url]))
  expect(await findDisagreements()).toEqual([['every entered log is the chain’s', collectionId]])
})

/** Another network, with a collection that is entered up to its block 5. */
async function makeOtherNetwork(): Promise<Network> {
  const network = { ...local.network, id: 4242, name: 'Other' }
  const block = { networkId: network.id, number: 5n, hash: '0x05', parentHash: '0x04', timestamp: new Date() }
  await worker().db.chainBlock.createMany({ data: [block], skipDuplicates: true })
  await worker().db.chainCursor.createMany({ data: [{ networkId: network.id, number: 5n }], skipDuplicates: true })
  await makeFollowedCollection(organization, {
    networkId: network.id,
    deploymentType: 'PLATFORM',
    contractAddress: makeRandomAddress(),
  })
  return network
}

test.each(['refuse', 'truncate', 'status_503', 'other_chain'] as const)(
  'a network whose node has the fault %s is named as not compared, and the others are compared',
  async (fault) => {
    const network = await makeOtherNetwork()
    const lying = await startLyingNode({ target: local.rpcUrl })
    lying.lie(fault, 1)
    const { itemIds } = await makeMinted(organization, local)
    await worker().sql(
      Prisma.sql`UPDATE item_owners SET address = ${makeRandomAddress()} WHERE item_id = ${itemIds[0]}::uuid`,
    )
    setChains(viemChain(network, [lying.url], { timeoutMs: 500 }), local.chain)
    const compared = nothingCompared()
    const findings = await verifyRecords(worker(), compared)
    expect(findings).toEqual([
      {
        check: 'the chain can be compared',
        subject: 'Other (4242)',
        detail: expect.stringContaining('No node of Other'),
      },
      expect.objectContaining({ check: 'owners are the chain’s', subject: itemIds[0] }),
    ])
    expect(compared).toMatchObject({ networks: 1, withoutNode: [] })
  },
)

test('a network without a node is named as not compared', async () => {
  await makeOtherNetwork()
  const compared = nothingCompared()
  expect(await verifyRecords(worker(), compared)).toEqual([])
  expect(compared.withoutNode).toEqual([4242])
})

test.each([[null], ['nonsense'], [7], [{}], [[]]])(
  'a node that answers everything with %j is named as not compared',
  async (result) => {
    await makeMinted(organization, local)
    const node = await startFakeNode(() => ({ result }))
    setChains(viemChain(local.network, [node.url]))
    expect(await findDisagreements()).toEqual([['the chain can be compared', `${local.network.name} (31337)`]])
  },
)

test('a node without the state of the last entered block is named as not compared', async () => {
  await makeMinted(organization, local, { variant: 'ERC1155' })
  const pruned = () => Promise.reject(new CallUndecided('missing trie node'))
  setChains(withReads(local.chain, { read: pruned }))
  const [finding, ...more] = await verifyRecords(worker())
  expect(more).toEqual([])
  expect(finding).toMatchObject({
    check: 'the chain can be compared',
    detail: expect.stringContaining('missing trie node'),
  })
})

test('a reorg while books and chain are compared: both are read again', async () => {
  await makeMinted(organization, local)
  let reads = 0
  const block = async (number: bigint): Promise<Block | null> => {
    const own = await local.chain.block(number)
    return own && reads++ === 0 ? { ...own, hash: `0x${'ab'.repeat(32)}` } : own
  }
  setChains(withReads(local.chain, { block }))
  expect(await findDisagreements()).toEqual([])
  expect(reads).toBeGreaterThan(1)
})

test('a chain that has another block where the books end is named as not compared', async () => {
  await makeMinted(organization, local)
  const block = async (number: bigint): Promise<Block | null> => {
    const own = await local.chain.block(number)
    return own && { ...own, hash: `0x${'ab'.repeat(32)}` }
  }
  setChains(withReads(local.chain, { block }))
  const [finding, ...more] = await verifyRecords(worker())
  expect(more).toEqual([])
  expect(finding).toMatchObject({
    check: 'the chain can be compared',
    detail: expect.stringContaining('isn’t on the chain'),
  })
})
