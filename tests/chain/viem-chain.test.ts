import { beforeAll, expect, test } from 'vitest'
import { CallReverted, CallUndecided, ChainUnavailable } from '../../lib/ports/chain/chain.ts'
import { envKeyring } from '../../lib/ports/chain/env-keyring.ts'
import { viemChain } from '../../lib/ports/chain/viem-chain.ts'
import { startChain, type TestChain } from '../support/chain.ts'
import { startFakeNode } from '../support/fake-node.ts'

let testChain: TestChain
const UNREACHABLE = 'http://127.0.0.1:1'

beforeAll(async () => {
  testChain = await startChain()
})

const chainOf = (...urls: string[]) => viemChain(testChain.network, urls)
const sign = (nonce: number, more: { gas?: bigint; value?: bigint; fee?: bigint } = {}) => {
  const fee = more.fee ?? 10_000_000_000n
  const { operators, signTransaction } = envKeyring([testChain.operatorKey], new Uint8Array(32))
  return signTransaction(operators[0]!, 31337, {
    to: operators[0]!,
    data: '0x',
    gas: more.gas ?? 21_000n,
    value: more.value ?? 0n,
    nonce,
    maxFeePerGas: fee,
    maxPriorityFeePerGas: fee,
  })
}

test('a call falls back to the next node when one fails, and throws ChainUnavailable when all fail', async () => {
  const { url: busy } = await startFakeNode(() => ({ error: { code: -32005, message: 'rate limit exceeded' } }))
  const { url: broken } = await startFakeNode(() => ({}), { status: 500 })
  expect((await chainOf(UNREACHABLE, busy, broken, testChain.rpcUrl).head()).number).toBeGreaterThan(0n)
  for (const ask of ['head', 'fees'] as const)
    await expect(chainOf(UNREACHABLE, busy)[ask]()).rejects.toBeInstanceOf(ChainUnavailable)
  const call = { to: testChain.operator.address, data: '0x' as const }
  await expect(chainOf(UNREACHABLE).simulate(call)).rejects.toBeInstanceOf(ChainUnavailable)
  await expect(chainOf(UNREACHABLE).broadcast((await sign(0)).raw)).rejects.toBeInstanceOf(ChainUnavailable)
})

test('a revert is a revert, and a call that a working node won’t run is CallUndecided, not ChainUnavailable', async () => {
  const revert = { from: testChain.operator.address, to: testChain.contracts.factory, data: '0x12345678' as const }
  expect(await chainOf(testChain.rpcUrl).simulate(revert)).toMatchObject({
    ok: false,
    reason: expect.stringMatching(/\.$/),
  })
  await expect(chainOf(testChain.rpcUrl).read(revert)).rejects.toBeInstanceOf(CallReverted)
  for (const message of ['invalid jump destination', 'stack limit reached 1024 (1023)', 'write protection']) {
    const { url: node } = await startFakeNode(() => ({ error: { code: -32000, message } }))
    expect(await chainOf(node).simulate(revert), message).toMatchObject({ ok: false })
  }
  for (const message of ['execution aborted (timeout = 5s)', 'insufficient funds for transfer', 'internal error']) {
    const { url: node } = await startFakeNode(() => ({ error: { code: -32000, message } }))
    await expect(chainOf(node).simulate(revert), message).rejects.toBeInstanceOf(CallUndecided)
    await expect(chainOf(node).read(revert), message).rejects.toBeInstanceOf(CallUndecided)
  }
})

test('a call that one node won’t run is run by the next one', async () => {
  const { url: slow } = await startFakeNode(() => ({
    error: { code: -32000, message: 'execution aborted (timeout = 5s)' },
  }))
  const call = { to: testChain.operator.address, data: '0x' as const }
  expect(await chainOf(slow, testChain.rpcUrl).simulate(call)).toMatchObject({ ok: true })
})

test('a broadcast’s outcome is known, nonce_used, underpriced, refused or no_funds', async () => {
  const chain = chainOf(UNREACHABLE, testChain.rpcUrl)
  const nonce = await chain.nonce(testChain.operator.address, 'latest')
  await testChain.node.setAutomine(false)
  const first = await sign(nonce)
  expect(await chain.broadcast(first.raw)).toEqual({ outcome: 'known' })
  expect(await chain.broadcast(first.raw)).toEqual({ outcome: 'known' })
  expect(await chain.broadcast((await sign(nonce, { gas: 22_000n })).raw)).toMatchObject({ outcome: 'underpriced' })
  expect(await chain.receipt(first.hash)).toBeNull()
  await testChain.node.mine({ blocks: 1 })
  await testChain.node.setAutomine(true)
  expect(await chain.receipt(first.hash)).toMatchObject({ status: 'success', gasUsed: 21_000n, logs: [] })
  expect(await chain.broadcast(first.raw)).toMatchObject({ outcome: 'nonce_used' })
  expect(await chain.broadcast((await sign(nonce + 1, { fee: 1n })).raw)).toMatchObject({ outcome: 'underpriced' })
  expect(await chain.broadcast((await sign(nonce + 1, { gas: 10n ** 9n })).raw)).toMatchObject({ outcome: 'refused' })
  expect(await chain.broadcast((await sign(nonce + 1, { value: 10n ** 30n })).raw)).toMatchObject({
    outcome: 'no_funds',
  })
})

test('a refusal that isn’t known to be permanent is unknown, also where another node calls the bytes invalid', async () => {
  const answering = async (message: string) => (await startFakeNode(() => ({ error: { code: -32000, message } }))).url
  const [full, invalid] = [await answering('txpool is full'), await answering('invalid sender')]
  const { raw } = await sign(0)
  expect(await chainOf(full).broadcast(raw)).toEqual({ outcome: 'unknown', detail: 'txpool is full' })
  expect(await chainOf(invalid, full).broadcast(raw)).toEqual({ outcome: 'unknown', detail: 'txpool is full' })
  expect(await chainOf(UNREACHABLE, invalid).broadcast(raw)).toEqual({ outcome: 'refused', detail: 'invalid sender' })
})
