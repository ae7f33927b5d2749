import type { Hex } from 'viem'
import { afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { HOUR, moveClock, resetClock } from '../../lib/core/clock.ts'
import { env } from '../../lib/core/env.ts'
import { GWEI, MAX_GAS_PER_MINT } from '../../lib/core/gas.ts'
import { findSending } from '../../lib/onchain/transactions/sending-row.ts'
import { splitWaiting } from '../../lib/onchain/transactions/split-transaction.ts'
import { systemContext } from '../../lib/platform/auth/authenticate.ts'
import { inTransaction } from '../../lib/platform/auth/context.ts'
import { checkOperators } from '../../lib/worker/check-operators.ts'
import { CallUndecided } from '../../lib/ports/chain/chain.ts'
import { startChain, type TestChain, withReads } from '../support/chain.ts'
import { makeRandomAddress } from '../support/claims.ts'
import { makeGreedyCollection } from '../support/greedy-contract.ts'
import { makeOrganization, type TestOrganization } from '../support/organization.ts'
import { makeOnChainCollection, makeSender } from '../support/sending.ts'

let testChain: TestChain
let organization: TestOrganization
const { GAS_BUDGET_GWEI, EXTERNAL_MINT_GAS } = env

beforeAll(async () => {
  testChain = await startChain()
  organization = await makeOrganization()
})
afterEach(() => {
  resetClock()
  Object.assign(env, { GAS_BUDGET_GWEI, EXTERNAL_MINT_GAS })
})

type Collection = Pick<Awaited<ReturnType<typeof makeOnChainCollection>>, 'api' | 'itemIds'>

async function askFor({ api, itemIds }: Collection, at = 0): Promise<{ id: string; transactionId: string }> {
  const { status, body } = await api.post('/v1/mint-requests', {
    item_id: itemIds[at],
    to_address: makeRandomAddress(),
  })
  expect(status, JSON.stringify(body)).toBe(201)
  const [{ id, transaction_id: transactionId }] = body.mint_requests
  return { id, transactionId }
}

const stateOf = async (of: TestOrganization, { id }: { id: string }) =>
  (await of.ctx.db.mintRequest.findFirstOrThrow({ where: { id } })).state
const openAlarms = async () =>
  (
    await systemContext('test').db.alarm.findMany({
      where: { resolvedAt: null, kind: { in: ['operator_low', 'operator_stuck'] } },
    })
  ).map(({ subject, detail }) => `${subject}: ${detail}`)

/** Leaves the operator with so much gas’s worth of coins, until the test ends. */
async function leaveFor(gas: bigint): Promise<void> {
  const { address } = testChain.operator
  const full = await testChain.client.getBalance({ address })
  onTestFinished(() => testChain.node.setBalance({ address, value: full }))
  const { maxFeePerGas } = await testChain.chain.fees()
  await testChain.node.setBalance({ address, value: gas * maxFeePerGas })
}

test('a mint that the balance doesn’t cover is passed over, so that those of others leave, and goes once there are coins', async () => {
  env.EXTERNAL_MINT_GAS = 20_000_000
  const dear = await makeGreedyCollection(organization, testChain, { wanted: 12_000_000n })
  const usual = await makeOnChainCollection(await makeOrganization(), testChain, { items: 3 })
  const full = await testChain.client.getBalance({ address: testChain.operator.address })
  await leaveFor(72n * MAX_GAS_PER_MINT)
  const first = await askFor(dear)
  const mints = [await askFor(usual, 0), await askFor(usual, 1)]
  await usual.sender.run()
  expect(await Promise.all(mints.map(({ id }) => usual.api.get(`/v1/mint-requests/${id}`)))).toMatchObject([
    { body: { state: 'COMPLETED' } },
    { body: { state: 'COMPLETED' } },
  ])
  expect(await stateOf(organization, first)).toBe('WAITING')
  expect(await usual.sender.submit()).toBe('short')
  expect(await openAlarms()).toEqual([])
  moveClock((HOUR - 60) * 1000)
  await checkOperators(systemContext('test'))
  expect((await openAlarms()).filter((alarm) => alarm.includes(first.transactionId))).toEqual([])
  moveClock(120_000)
  await checkOperators(systemContext('test'))
  expect((await openAlarms()).filter((alarm) => alarm.includes(first.transactionId))).toEqual([
    expect.stringContaining('network 31337 passed over'),
  ])
  await testChain.node.setBalance({ address: testChain.operator.address, value: full })
  await usual.sender.run()
  expect(await stateOf(organization, first)).toBe('COMPLETED')
  await checkOperators(systemContext('test'))
  expect(await openAlarms()).toEqual([])
})

test('a transaction that the balance covers once others are mined isn’t overtaken for ever by smaller ones', async () => {
  env.EXTERNAL_MINT_GAS = 20_000_000
  const dear = await makeGreedyCollection(organization, testChain, { wanted: 4_000_000n })
  const usual = await makeOnChainCollection(organization, testChain, { items: 2 })
  await leaveFor(6_000_000n)
  await testChain.node.setAutomine(false)
  onTestFinished(() => testChain.node.setAutomine(true))
  const small = await askFor(usual, 0)
  await usual.sender.submitAll()
  expect(await stateOf(organization, small)).toBe('SUBMITTED')
  await leaveFor(5_100_000n)
  const big = await askFor(dear)
  const later = await askFor(usual, 1)
  moveClock(1_000) // the later one doesn't wait for others to join it
  expect(await usual.sender.submitAll()).toEqual(['short'])
  expect(await stateOf(organization, later)).toBe('WAITING')
  await testChain.node.mine({ blocks: 1 })
  await leaveFor(5_100_000n)
  await usual.sender.watch()
  await usual.sender.submitAll()
  expect(await stateOf(organization, big)).toBe('SUBMITTED')
})

test('a mint of a foreign contract that wants more gas than EXTERNAL_MINT_GAS fails with the reason, alone', async () => {
  const greedy = await makeGreedyCollection(organization, testChain, { wanted: 12_000_000n, items: 2 })
  const mint = await askFor(greedy)
  await greedy.sender.run()
  expect((await greedy.api.get(`/v1/mint-requests/${mint.id}`)).body).toMatchObject({
    state: 'FAILED',
    failure: expect.stringContaining('more gas'),
    tx_hash: null,
  })
  const { gasCostWei } = await organization.ctx.db.transaction.findFirstOrThrow({ where: { id: mint.transactionId } })
  expect(gasCostWei).toBeNull()
  await greedy.want(500_000n)
  const cheaper = await askFor(greedy, 1)
  await greedy.sender.run()
  expect(await stateOf(organization, cheaper)).toBe('COMPLETED')
})

test('mints of one organization whose contract is too dear, or whose call no node can run, let another’s leave in the same round', async () => {
  const dear = await makeGreedyCollection(organization, testChain, { wanted: 12_000_000n })
  const endless = await makeGreedyCollection(organization, testChain, { wanted: 100_000n })
  const other = await makeOrganization()
  const usual = await makeOnChainCollection(other, testChain)
  const [first, second, third] = [await askFor(dear), await askFor(endless), await askFor(usual)]
  const chain = withReads(testChain.chain, {
    simulate: (call) =>
      call.to === endless.contract
        ? Promise.reject(new CallUndecided('It takes too long.'))
        : testChain.chain.simulate(call),
  })
  const sender = makeSender({ ...testChain, chain })
  expect(await sender.submit()).toBe('sent')
  expect([
    await stateOf(organization, first),
    await stateOf(organization, second),
    await stateOf(other, third),
  ]).toEqual(['FAILED', 'WAITING', 'SUBMITTED'])
  moveClock(HOUR * 1000)
  await makeSender(testChain).run()
  expect([await stateOf(organization, second), await stateOf(other, third)]).toEqual(['COMPLETED', 'COMPLETED'])
})

test('one of two nodes that says that a foreign mint is too dear isn’t believed', async () => {
  const { itemIds, api } = await makeGreedyCollection(organization, testChain, { wanted: 100_000n })
  const mint = await askFor({ itemIds, api })
  const dear = withReads(testChain.chain, { simulate: async () => ({ ok: true, gas: 12_000_000n }) })
  const sender = makeSender({
    ...testChain,
    chain: {
      ...dear,
      atSeveralNodes: async (work) => [
        await work({ ...dear, name: 'a' }),
        await work({ ...testChain.chain, name: 'b' }),
      ],
    },
  })
  await sender.run()
  expect(await stateOf(organization, mint)).toBe('COMPLETED')
})

test('a gas budget for three mints doesn’t pay for what thirty would cost at a foreign contract', async () => {
  const own = await makeOrganization()
  const greedy = await makeGreedyCollection(own, testChain, { wanted: 900_000n, items: 3 })
  const { maxFeePerGas } = await testChain.chain.fees()
  env.GAS_BUDGET_GWEI = String(3n * 5n * MAX_GAS_PER_MINT)
  const budget = BigInt(env.GAS_BUDGET_GWEI) * GWEI
  const mints = [await askFor(greedy, 0), await askFor(greedy, 1), await askFor(greedy, 2)]
  await greedy.sender.run()
  await greedy.sender.run()
  const { _sum } = await own.ctx.db.transaction.aggregate({
    where: { state: { not: 'PENDING' } },
    _sum: { gasCostWei: true },
  })
  const paid = BigInt(_sum.gasCostWei?.toFixed() ?? 0)
  expect(paid, String(maxFeePerGas)).toBeLessThanOrEqual(budget)
  const states = await Promise.all(mints.map((mint) => stateOf(own, mint)))
  expect(states.toSorted()).toEqual(['COMPLETED', 'WAITING', 'WAITING'])
  env.GAS_BUDGET_GWEI = 'unlimited'
  await greedy.sender.run()
  expect(await Promise.all(mints.map((mint) => stateOf(own, mint)))).toEqual(mints.map(() => 'COMPLETED'))
})

test('what is cancelled or fails before it is sent costs no gas budget, and a part of a batch takes its share along', async () => {
  const own = await makeOrganization()
  const usual = await makeOnChainCollection(own, testChain, { items: 3 })
  env.GAS_BUDGET_GWEI = '1000000000'
  const countedOf = async (id: string) =>
    (await own.ctx.db.transaction.findFirstOrThrow({ where: { id } })).gasCostWei?.toFixed() ?? null
  const [first, second] = [await askFor(usual, 0), await askFor(usual, 1)]
  expect(second.transactionId).toBe(first.transactionId)
  const both = BigInt((await countedOf(first.transactionId))!)
  const row = (await findSending(own.ctx, first.transactionId))!
  const moved = await inTransaction(own.ctx, (tx) => splitWaiting(tx, row, [row.mintRequests[1]!]))
  expect([await countedOf(first.transactionId), await countedOf(moved)]).toEqual([String(both / 2n), String(both / 2n)])
  expect((await usual.api.post(`/v1/transactions/${moved}/cancel`)).status).toBeLessThan(300)
  expect(await countedOf(moved)).toBeNull()
})

test('on an OP-stack network the data fee of a mined transaction counts as spent', async () => {
  const usual = await makeOnChainCollection(organization, testChain)
  const mint = await askFor(usual)
  const chain = withReads(testChain.chain, {
    receipt: async (hash) => {
      const receipt = await testChain.chain.receipt(hash)
      return receipt && { ...receipt, dataFeeWei: 77n }
    },
  })
  await makeSender({ ...testChain, chain }).run()
  const { gasCostWei, txHash } = await organization.ctx.db.transaction.findFirstOrThrow({
    where: { id: mint.transactionId },
  })
  const { gasUsed, effectiveGasPrice } = (await testChain.chain.receipt(txHash as Hex))!
  expect(BigInt(gasCostWei!.toFixed())).toBe(gasUsed * effectiveGasPrice + 77n)
})
