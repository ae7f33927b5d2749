import { afterEach, beforeAll, expect, test } from 'vitest'
import { openTransaction } from '../../lib/orders/open-transaction.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { inTransaction } from '../../lib/platform/auth/context.ts'
import { startChain, type TestChain, withReads } from '../support/chain.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { makeOnChainCollection, makeSender } from '../support/sending.ts'

let testChain: TestChain
let organization: TestOrganization
let collectionId: string

beforeAll(async () => {
  testChain = await startChain()
  organization = await makeOrganization()
  ;({ collectionId } = await makeOnChainCollection(organization, testChain, { items: 0 }))
})
afterEach(() => testChain.node.setAutomine(true))

async function openSettings(count: number): Promise<string[]> {
  const ids: string[] = []
  for (let at = 0; at < count; at++) {
    const payload = { base_uri: `https://example.com/${at}/` }
    const setting = { collectionId, networkId: 31337, txType: 'SET_BASE_URI' as const, payload }
    ids.push(await inTransaction(organization.ctx, (tx) => openTransaction(tx, setting)))
  }
  return ids
}
const statesOf = async (ids: readonly string[]) =>
  (await organization.ctx.db.transaction.findMany({ where: { id: { in: [...ids] } } })).map(({ state }) => state)
const fillers = () => organization.ctx.db.transaction.findMany({ where: { txType: 'CANCEL' }, orderBy: { id: 'asc' } })

/**
 * Has a lane signed above its next nonce, as where a node named one too high, or a reorg took away what was sent by
 * hand.
 */
async function signAboveGap(count: number): Promise<{ ids: string[]; gap: number }> {
  const { operator, chain } = testChain
  const gap = await chain.nonce(operator.address, 'latest')
  await systemContext().db.operatorLane.updateMany({
    where: { operator: operator.address },
    data: { nextNonce: gap + 1 },
  })
  const ids = await openSettings(count)
  await testChain.node.setAutomine(false)
  const ahead = withReads(chain, { nonce: async (account, at) => (await chain.nonce(account, at)) + 1 })
  expect(await makeSender({ ...testChain, chain: ahead }).submit()).toBe('sent')
  await testChain.node.mine({ blocks: 1 })
  expect(await chain.nonce(operator.address, 'latest')).toBe(gap)
  return { ids, gap }
}

async function mineAll(sender: ReturnType<typeof makeSender>): Promise<void> {
  await testChain.node.mine({ blocks: 2 })
  await sender.watch()
  await testChain.node.mine({ blocks: 1 })
  await sender.watch()
}

test('a full lane with a gap at its next nonce fills that first, with what waits', async () => {
  const { ids, gap } = await signAboveGap(16)
  const sender = makeSender(testChain)
  const [next] = await openSettings(1)
  for (let pass = 0; pass < 4; pass++) await sender.watch()
  expect(await sender.submit()).toBe('sent')
  expect(await organization.ctx.db.transaction.findFirst({ where: { id: next! } })).toMatchObject({ nonce: gap })
  await mineAll(sender)
  expect(await statesOf([...ids, next!])).toEqual([...ids, next].map(() => 'COMPLETED'))
  // The empty one that was opened meanwhile isn't needed any more.
  expect(await sender.submitAll()).toEqual(['changed', 'idle'])
  expect((await fillers()).map(({ state, nonce }) => [state, nonce])).toEqual([['CANCELLED', null]])
})

test('a gap is filled by one empty transaction where nothing waits', async () => {
  const { ids, gap } = await signAboveGap(3)
  const sender = makeSender(testChain)
  expect(await sender.submitAll()).toEqual(['idle'])
  for (let pass = 0; pass < 5; pass++) await sender.watch()
  expect(await sender.submitAll()).toEqual(['sent', 'idle'])
  await mineAll(sender)
  expect(await statesOf(ids)).toEqual(ids.map(() => 'COMPLETED'))
  expect((await fillers()).at(-1)).toMatchObject({ state: 'COMPLETED', nonce: gap, mintCount: 0 })
  expect(await fillers()).toHaveLength(2)
})

test('a node that names too low a nonce makes no transaction for one that is bound', async () => {
  const ids = await openSettings(2)
  await testChain.node.setAutomine(false)
  const sender = makeSender(testChain)
  await sender.submitAll()
  const before = (await fillers()).length
  const { chain } = testChain
  const behind = withReads(chain, { nonce: async (account, at) => (await chain.nonce(account, at)) - 1 })
  const lagging = makeSender({ ...testChain, chain: behind })
  for (let pass = 0; pass < 5; pass++) await lagging.watch()
  expect(await fillers()).toHaveLength(before)
  await mineAll(sender)
  expect(await statesOf(ids)).toEqual(['COMPLETED', 'COMPLETED'])
})
