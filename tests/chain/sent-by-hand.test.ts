import { parseEther, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { encodeSetRoles, ROLES } from '../../lib/core/contracts/calls.ts'
import { DAY, moveClock, resetClock } from '../../lib/core/clock.ts'
import { newId } from '../../lib/core/id.ts'
import { keyFor } from '../../lib/core/secrets.ts'
import { expireClaims } from '../../lib/giving/expire-claims.ts'
import { checkPromises } from '../../lib/onchain/recovery/check-promises.ts'
import { compareLanes } from '../../lib/onchain/recovery/compare-lanes.ts'
import { endByHand } from '../../lib/onchain/recovery/end-by-hand.ts'
import { releasePromises } from '../../lib/onchain/recovery/release-promises.ts'
import { settleLanes } from '../../lib/onchain/recovery/settle-lanes.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { envKeyring } from '../../lib/ports/chain/env-keyring.ts'
import type { Chain, ChainReads } from '../../lib/ports/chain/chain.ts'
import { viemChain } from '../../lib/ports/chain/viem-chain.ts'
import { replacePorts } from '../../lib/ports/ports.ts'
import { recover, sendForgotten } from '../support/by-hand.ts'
import { startChain, type TestChain } from '../support/chain.ts'
import { makeRandomAddress } from '../support/claims.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { makeOnChainCollection } from '../support/sending.ts'

let local: TestChain
let organization: TestOrganization
let tokens: Awaited<ReturnType<typeof makeOnChainCollection>>
let others: Awaited<ReturnType<typeof makeOnChainCollection>>
const other = privateKeyToAccount(generatePrivateKey())
const worker = () => systemContext('test')

beforeAll(async () => {
  local = await startChain()
  organization = await makeOrganization()
  await local.node.setBalance({ address: other.address, value: parseEther('100') })
  tokens = await makeOnChainCollection(organization, local, { items: 12 })
  others = await makeOnChainCollection(organization, local, { items: 12 })
  // Its own operator mints for it.
  await worker().db.collection.updateMany({ where: { id: others.collectionId }, data: { minter: other.address } })
  // An organization that used vouchers before.
  await give(tokens, { tx_payer: 'BUYER' })
})
beforeEach(() => endByHand(worker(), local.operator.address))
afterEach(async () => {
  resetClock()
  await endByHand(worker(), local.operator.address)
  await worker().db.collection.updateMany({ data: { promisesFrom: null } })
  await checkPromises(worker(), local.network)
})

type OnChain = Awaited<ReturnType<typeof makeOnChainCollection>>
const next = new Map<OnChain, number>()

async function give(to: OnChain, terms: object = {}): Promise<{ status: number; code?: string; id?: string }> {
  const at = next.get(to) ?? 0
  next.set(to, at + 1)
  const email = `${newId()}@example.com`
  const { status, body } = await to.api.post('/v1/email-claims', { email, item_id: to.itemIds[at], ...terms })
  return { status, code: body.code, id: body.id }
}
const openAlarms = () =>
  worker().db.alarm.findMany({
    where: { kind: 'books_behind', resolvedAt: null },
    select: { subject: true, detail: true },
  })
const recoveries = () => worker().db.recovery.findMany({ where: { endedAt: null } })
const foreignCall = () => ({ to: makeRandomAddress(), data: '0x1234' as Hex })
const ourCall = () => ({ to: tokens.contract, data: encodeSetRoles(makeRandomAddress(), ROLES.SIGNER) })

test('transactions that somebody sent with the operator’s key hold up nothing once they are read', async () => {
  await sendForgotten(local, { to: makeRandomAddress() })
  await sendForgotten(local, foreignCall())
  expect(await compareLanes(worker(), local.chain)).toEqual([])
  expect(await recoveries()).toEqual([])
  expect(await openAlarms()).toEqual([])
  expect((await give(tokens)).status).toBe(201)
  const to = makeRandomAddress()
  const { status } = await tokens.api.post('/v1/mint-requests', { item_id: tokens.itemIds[11], to_address: to })
  expect(status).toBe(201)
  await tokens.sender.run()
  expect(await organization.ctx.db.mintRequest.findFirst({ where: { toAddress: to } })).toMatchObject({
    state: 'COMPLETED',
  })
})

test('until that is settled only what this operator mints waits; once loss is proved, all of the network does', async () => {
  const claim = await give(others)
  await sendForgotten(local, foreignCall())
  const { confirmations } = local.network
  const slow = viemChain({ ...local.network, confirmations: confirmations + 2 }, [local.rpcUrl])
  replacePorts({ keys: envKeyring([local.operatorKey], keyFor('voucher-signer')) })
  expect(await compareLanes(worker(), slow)).toEqual([local.operator.address])
  expect(await openAlarms()).toMatchObject([{ detail: expect.stringContaining('npm run restore -- --check') }, {}])
  expect((await give(tokens)).code).toBe('recovering')
  expect((await give(others)).status).toBe(201)
  expect((await others.api.delete(`/v1/email-claims/${claim.id}`)).status).toBe(204)
  await local.node.mine({ blocks: 2 })
  expect(await compareLanes(worker(), slow)).toEqual([])
  expect((await give(tokens)).status).toBe(201)
  expect(await openAlarms()).toEqual([])

  await sendForgotten(local, ourCall())
  expect(await compareLanes(worker(), local.chain)).toEqual([local.operator.address])
  expect((await give(others)).code).toBe('recovering')
  moveClock(40 * DAY * 1000)
  expect(await expireClaims(worker())).toBe(0)
})

test('what stays stopped after a loss has an alarm that stays open and names its command', async () => {
  await sendForgotten(local, ourCall())
  await recover(local)
  await compareLanes(worker(), local.chain)
  expect(await recoveries()).toEqual([])
  expect(await openAlarms()).toEqual([
    { subject: 'promises 31337', detail: expect.stringContaining('npm run restore -- --promise') },
  ])
  for (const { collectionId } of [tokens, others]) await releasePromises(worker(), collectionId)
  await compareLanes(worker(), local.chain)
  expect(await openAlarms()).toEqual([])
  expect((await give(tokens)).status).toBe(201)
})

test('a person who knows that nothing was lost ends the recovery', async () => {
  await sendForgotten(local, ourCall())
  await compareLanes(worker(), local.chain)
  expect((await give(others)).code).toBe('recovering')
  expect(await endByHand(worker(), local.operator.address.toLowerCase())).toBe(1)
  expect((await give(others)).status).toBe(201)
  expect(await compareLanes(worker(), local.chain)).toEqual([])
})

/** A chain of two nodes, whose second one answers otherwise. */
const twoNodes = (reads: Partial<ChainReads>): Chain => ({
  ...local.chain,
  atSeveralNodes: async (work) => [
    await work({ ...local.chain, name: 'a' }),
    await work({ ...local.chain, ...reads, name: 'b' }),
  ],
})

test('one node’s word isn’t enough to call a transaction foreign', async () => {
  await sendForgotten(local, foreignCall())
  const { nonce, transactionOf } = local.chain
  const behind = twoNodes({ nonce: async (account, at) => (await nonce(account, at)) - 1 })
  expect(await compareLanes(worker(), behind)).toEqual([local.operator.address])
  expect(await recoveries()).toMatchObject([{ lostAt: null }])
  const lying = twoNodes({
    transactionOf: async (account, at) => {
      const found = (await transactionOf(account, at))!
      return { ...found, told: { ...(found.told as object), input: '0x' } }
    },
  })
  await settleLanes(worker(), lying)
  expect(await recoveries()).toMatchObject([{ lostAt: expect.any(Date) }])
})

test('a transaction that no node can show counts as lost', async () => {
  await sendForgotten(local, foreignCall())
  expect(await compareLanes(worker(), twoNodes({ transactionOf: async () => null }))).toEqual([local.operator.address])
  expect(await recoveries()).toMatchObject([{ lostAt: expect.any(Date) }])
})

test('the transaction of a nonce is found among blocks, however many there are', async () => {
  const hashes: Hex[] = []
  for (let at = 0; at < 3; at++) {
    hashes.push(await sendForgotten(local, { to: makeRandomAddress() }))
    await local.node.mine({ blocks: 7 * at })
  }
  const count = await local.chain.nonce(local.operator.address, 'latest')
  const found = await Promise.all(
    [3, 2, 1].map((back) => local.chain.transactionOf(local.operator.address, count - back)),
  )
  expect(found.map((one) => one?.hash)).toEqual(hashes)
  expect(await local.chain.transactionOf(local.operator.address, count)).toBeNull()
  expect(await local.chain.transactionOf(local.operator.address, 0)).not.toBeNull()
})
