import { afterEach, beforeAll, expect, test } from 'vitest'
import type { Hex } from 'viem'
import { inTransaction } from '../../lib/platform/auth/context.ts'
import { openTransaction } from '../../lib/orders/open-transaction.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { moveClock, resetClock } from '../../lib/core/clock.ts'
import { viemChain } from '../../lib/ports/chain/viem-chain.ts'
import { checkOperators } from '../../lib/worker/check-operators.ts'
import { startChain, type TestChain } from '../support/chain.ts'
import { makeRandomAddress } from '../support/claims.ts'
import { startNodeProxy } from '../support/node-proxy.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { makeOnChainCollection, makeSender, tokenAbi721 } from '../support/sending.ts'

let testChain: TestChain
let organization: TestOrganization
let node: Awaited<ReturnType<typeof startNodeProxy>>

beforeAll(async () => {
  testChain = await startChain()
  organization = await makeOrganization()
  node = await startNodeProxy(testChain.rpcUrl)
})

afterEach(async () => {
  resetClock()
  node.refuse = () => null
  await testChain.node.setAutomine(true)
})

const openAlarms = (subject: string) =>
  systemContext('test').db.alarm.findMany({ where: { subject, resolvedAt: null }, select: { kind: true } })
const ownerOf = (contract: Hex, tokenId: bigint) =>
  testChain.client.readContract({ address: contract, abi: tokenAbi721, functionName: 'ownerOf', args: [tokenId] })

/** A collection with two items, and a sender whose node answers as `node.refuse` says. */
async function makeRefusable() {
  const made = await makeOnChainCollection(organization, testChain, { items: 2 })
  const sender = makeSender({ ...testChain, chain: viemChain(testChain.network, [node.url]) })
  const requestMint = async (at: number) => {
    const to = makeRandomAddress()
    const { body } = await made.api.post('/v1/mint-requests', { item_id: made.itemIds[at], to_address: to })
    return { to, transactionId: body.mint_requests[0].transaction_id as string }
  }
  const stateOf = async (transactionId: string) =>
    (await made.api.get(`/v1/mint-requests/${transactionId}`)).body.state as string
  const rowOf = (id: string) => organization.ctx.db.transaction.findFirstOrThrow({ where: { id } })
  return { ...made, sender, requestMint, stateOf, rowOf }
}

/** The node takes everything again, and mines what is broadcast next. */
async function accept(sender: ReturnType<typeof makeSender>): Promise<void> {
  node.refuse = () => null
  moveClock(61_000)
  await sender.watch()
  await sender.mined()
  await sender.watch()
}

const refuseBroadcasts =
  (message: string, code = -32000) =>
  ({ method }: { method: string }) =>
    method === 'eth_sendRawTransaction' ? { code, message } : null

// geth (core/txpool, internal/ethapi), Erigon, Nethermind, Besu, Alchemy and Infura: all of them pass.
test.each([
  ['txpool is full', -32000],
  ['Internal error', -32603],
  ['tx fee (1.20 ether) exceeds the configured cap (1.00 ether)', -32000],
  ['the method eth_sendRawTransaction is temporarily disabled', -32601],
  ['daily request count exceeded, request rate limited', -32005],
  ['transaction type not supported', -32000],
])('bytes refused with “%s” for an hour are mined when the node takes them, and nothing fails', async (text, code) => {
  const { sender, requestMint, stateOf, rowOf, contract } = await makeRefusable()
  const { to, transactionId } = await requestMint(0)
  node.refuse = refuseBroadcasts(text, code)
  await sender.submitAll().catch(() => undefined)
  const signed = await rowOf(transactionId)
  for (let minute = 0; minute < 60; minute++) {
    moveClock(60_000)
    await sender.watch().catch(() => undefined)
  }
  expect(await rowOf(transactionId)).toMatchObject({ state: 'SUBMITTED', txHash: signed.txHash, nonce: signed.nonce })
  expect(await stateOf(transactionId)).toBe('SUBMITTED')
  await accept(sender)
  expect(await stateOf(transactionId)).toBe('COMPLETED')
  expect(await ownerOf(contract, 1n)).toBe(to)
  await checkOperators(systemContext('test'))
  expect(await openAlarms(transactionId)).toEqual([])
})

test('refusals raise one alarm with the node’s words, and bytes are broadcast again after growing pauses', async () => {
  const { sender, requestMint } = await makeRefusable()
  const { transactionId } = await requestMint(0)
  node.refuse = refuseBroadcasts('txpool is full')
  const before = node.refused
  await sender.submitAll()
  for (let second = 0; second < 600; second += 5) {
    moveClock(5_000)
    await sender.watch()
  }
  // After 5, 15, 35 and 75 seconds, then once a minute; looked at every five seconds.
  expect(node.refused - before).toBeLessThan(16)
  expect(node.refused - before).toBeGreaterThan(8)
  const alarms = await systemContext('test').db.alarm.findMany({ where: { subject: transactionId } })
  expect(alarms).toMatchObject([{ kind: 'broadcast_refused', detail: expect.stringContaining('“txpool is full”') }])
  await accept(sender)
})

test.each([
  ['insufficient funds for gas * price + value', 'operator_low'],
  ['txpool is full', 'broadcast_refused'],
])('bytes that are refused again and again with “%s” raise the alarm %s', async (text, kind) => {
  const { sender, requestMint } = await makeRefusable()
  const { transactionId } = await requestMint(0)
  node.refuse = refuseBroadcasts(text)
  await sender.submitAll()
  for (let minute = 0; minute < 10; minute++) {
    moveClock(60_000)
    await sender.watch()
  }
  const subjects = [transactionId, `${testChain.network.id}:${testChain.operator.address}`]
  const alarms = await systemContext('test').db.alarm.findMany({
    where: { subject: { in: subjects }, resolvedAt: null },
  })
  expect(alarms.map(({ kind }) => kind)).toEqual([kind])
  await accept(sender)
  await checkOperators(systemContext('test'))
})

test('refused bytes block a lane for three minutes; then the next transaction shares their nonce, and the other waits for another', async () => {
  const { sender, requestMint, stateOf, rowOf, contract } = await makeRefusable()
  await testChain.node.setAutomine(false)
  const first = await requestMint(0)
  const refusedRaw = new Set<unknown>()
  await sender.submitAll()
  const { txHash, nonce } = await rowOf(first.transactionId)
  await testChain.node.dropTransaction({ hash: txHash as Hex })
  for (const { raw } of await organization.ctx.db.signedTransaction.findMany({
    where: { transactionId: first.transactionId },
  }))
    refusedRaw.add(raw)
  node.refuse = ({ method, params }) =>
    method === 'eth_sendRawTransaction' && refusedRaw.has(params[0])
      ? { code: -32000, message: 'Internal error' }
      : null
  moveClock(6_000)
  await sender.watch()

  const second = await requestMint(1)
  moveClock(120_000)
  await sender.watch()
  expect(await sender.submit()).toBe('sent')
  expect((await rowOf(second.transactionId)).nonce).toBe(nonce! + 1)
  await testChain.node.mine({ blocks: 1 })
  expect(await stateOf(second.transactionId)).toBe('SUBMITTED')

  const third = await openThird()
  moveClock(120_000)
  await sender.watch()
  expect(await sender.submit()).toBe('sent')
  expect((await rowOf(third)).nonce).toBe(nonce)
  await testChain.node.mine({ blocks: 1 })
  node.refuse = () => null
  for (let pass = 0; pass < 4; pass++) await sender.watch()
  expect(await rowOf(third)).toMatchObject({ state: 'COMPLETED', onChainStatus: 'SUCCESS' })
  expect(await rowOf(second.transactionId)).toMatchObject({ state: 'COMPLETED' })
  expect(await rowOf(first.transactionId)).toMatchObject({ state: 'PENDING', nonce: null })
  expect(await systemContext('test').db.alarm.count({ where: { kind: 'nonce_taken' } })).toBe(0)
  await testChain.node.setAutomine(true)
  await sender.run()
  expect(await ownerOf(contract, 1n)).toBe(first.to)
  expect(await ownerOf(contract, 2n)).toBe(second.to)

  async function openThird(): Promise<string> {
    const { collectionId } = await rowOf(first.transactionId)
    return inTransaction(organization.ctx, (tx) =>
      openTransaction(tx, {
        collectionId,
        networkId: 31337,
        txType: 'SET_BASE_URI',
        payload: { base_uri: 'https://example.com/third/' },
      }),
    )
  }
})

test('a gas limit that nodes refuse permanently is raised, and the same call is mined', async () => {
  const { sender, requestMint, stateOf, contract } = await makeRefusable()
  const { to, transactionId } = await requestMint(0)
  const refused = new Set<unknown>()
  node.refuse = ({ method, params }) => {
    if (method !== 'eth_sendRawTransaction') return null
    if (refused.size === 0) refused.add(params[0])
    return refused.has(params[0])
      ? { code: -32000, message: 'intrinsic gas too low: gas 21000, minimum needed 22000' }
      : null
  }
  await sender.submitAll()
  await organization.ctx.db.signedTransaction.updateMany({ where: { transactionId }, data: { gasLimit: 21_000n } })
  moveClock(11_000)
  await sender.watch()
  await accept(sender)
  expect(await stateOf(transactionId)).toBe('COMPLETED')
  expect(await ownerOf(contract, 1n)).toBe(to)
  expect(await organization.ctx.db.signedTransaction.findMany({ where: { transactionId, cancels: true } })).toEqual([])
})

test('a call that no node can run waits alone with an alarm, the next transaction leaves, and it is sent once it can be', async () => {
  const [hostile, other] = [await makeRefusable(), await makeRefusable()]
  const waiting = await hostile.requestMint(0)
  const next = await other.requestMint(0)
  node.refuse = ({ method, params }) =>
    method === 'eth_estimateGas' && (params[0] as { to: string }).to.toLowerCase() === hostile.contract.toLowerCase()
      ? { code: -32000, message: 'execution aborted (timeout = 5s)' }
      : null
  expect(await other.sender.submit()).toBe('sent')
  await other.sender.mined()
  await other.sender.watch()
  expect(await other.stateOf(next.transactionId)).toBe('COMPLETED')
  for (let minute = 0; minute < 6; minute++) {
    moveClock(60_000)
    await hostile.sender.submit()
  }
  expect(await hostile.stateOf(waiting.transactionId)).toBe('WAITING')
  const stuck = `send transaction ${waiting.transactionId}`
  expect(await openAlarms(stuck)).toEqual([{ kind: 'row_stuck' }])
  node.refuse = () => null
  moveClock(3_600_000)
  await hostile.sender.run()
  expect(await hostile.stateOf(waiting.transactionId)).toBe('COMPLETED')
  expect(await openAlarms(stuck)).toEqual([])
})
