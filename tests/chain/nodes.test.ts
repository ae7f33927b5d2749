import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { numberToHex, zeroAddress, type Hex } from 'viem'
import { moveClock, resetClock } from '../../lib/core/clock.ts'
import { CallUndecided, ChainUnavailable, type Network } from '../../lib/ports/chain/chain.ts'
import { viemChain } from '../../lib/ports/chain/viem-chain.ts'
import { startChain, type TestChain } from '../support/chain.ts'
import { startFakeNode } from '../support/fake-node.ts'
import { startLyingNode } from '../support/lying-node.ts'
import { until } from '../support/until.ts'

let testChain: TestChain
const TIMEOUT_MS = 500

beforeAll(async () => {
  testChain = await startChain()
})
afterEach(resetClock)

const chainOf = (urls: string[], network: Partial<Network> = {}) =>
  viemChain({ ...testChain.network, ...network }, urls, { timeoutMs: TIMEOUT_MS })

const hash = (number: number): Hex => `0x${number.toString(16).padStart(64, '0')}`
/** A block of a fake chain that has one block a second. */
const blockAt = (number: number) => ({
  number: numberToHex(number),
  hash: hash(number),
  parentHash: hash(number - 1),
  timestamp: numberToHex(1_700_000_000 + number),
  logsBloom: `0x${'00'.repeat(256)}`,
})
/** A node whose latest block is `head`. */
const startFollower = (head: { number: number }) =>
  startFakeNode((method, [at]) =>
    method === 'eth_getBlockByNumber' ? { result: blockAt(at === 'latest' ? head.number : Number(at)) } : null,
  )

describe('which nodes are asked', () => {
  test('a node of another chain is never used, and is named', async () => {
    const other = await startFakeNode(() => ({ result: blockAt(1) }), { chainId: '0x1' })
    const chain = chainOf([other.url, testChain.rpcUrl])
    expect((await chain.head()).number).toBe((await testChain.chain.head()).number)
    await chain.broadcast('0x02').catch(() => undefined)
    expect(new Set(other.asked.map(({ method }) => method))).toEqual(new Set(['eth_chainId']))
    expect(chain.nodesOfOtherChains()).toEqual([expect.stringContaining('127.0.0.1')])
    await expect(chainOf([other.url]).head()).rejects.toBeInstanceOf(ChainUnavailable)
  })

  test('a node whose chain id changed while it did not answer is not used any more', async () => {
    const node = await startFollower({ number: 7 })
    const chain = chainOf([node.url])
    expect((await chain.head()).number).toBe(7n)
    node.chainId = '0x1'
    expect((await chain.head()).number).toBe(7n)
    await chain.balance(zeroAddress).catch(() => undefined)
    await expect(chain.head()).rejects.toBeInstanceOf(ChainUnavailable)
  })

  test('a dead first node is asked once a minute, not on each call', async () => {
    let isDead = true
    const first = await startFakeNode((_method, [at]) =>
      isDead ? null : { result: blockAt(at === 'latest' ? 9 : Number(at)) },
    )
    const second = await startFollower({ number: 9 })
    const chain = chainOf([first.url, second.url])
    for (let call = 0; call < 10; call++) await chain.head()
    expect(first.calls('eth_getBlockByNumber')).toHaveLength(1)

    isDead = false
    moveClock(61_000)
    await chain.head()
    const before = second.asked.length
    await until('The first node is asked again', async () => {
      await chain.head()
      return first.calls('eth_getBlockByNumber').length > 2
    })
    const answered = second.asked.length
    await chain.block(3n)
    expect(second.asked).toHaveLength(answered)
    expect(answered).toBeGreaterThanOrEqual(before)
  })

  test('a first node whose head stands still is noticed by comparing heads', async () => {
    const [frozen, going] = [{ number: 10 }, { number: 12 }]
    const [first, second] = [await startFollower(frozen), await startFollower(going)]
    const chain = chainOf([first.url, second.url])
    expect((await chain.head()).number).toBe(10n)
    going.number = 400
    moveClock(31_000)
    expect((await chain.head()).number).toBe(400n)
    expect(await chain.atOneNode(async (node) => (await node.head()).number)).toBe(400n)
    // After a minute it still stands still: it isn't taken back.
    moveClock(62_000)
    await chain.head()
    await until('The check of the first node', () => first.calls('eth_chainId').length > 1)
    expect((await chain.head()).number).toBe(400n)
  })

  test('what is read at one node never comes from two; when it fails, the work starts again at the next', async () => {
    const broken = await startFakeNode((method, [at]) =>
      method === 'eth_getBlockByNumber' && Number(at) !== 5
        ? { result: blockAt(at === 'latest' ? 6 : Number(at)) }
        : null,
    )
    const sound = await startFollower({ number: 8 })
    const chain = chainOf([broken.url, sound.url])
    const runs: string[] = []
    const read = await chain.atOneNode(async (node) => {
      runs.push(node.name)
      return [(await node.head()).number, (await node.block(5n))?.number]
    })
    expect(read).toEqual([8n, 5n])
    expect(new Set(runs).size).toBe(2)
    expect(await chain.atOneNode((node) => Promise.resolve(node.name), { not: runs.at(-1)! })).toBe(runs[0])
  })

  test('what no single node may be believed is asked of all that work, and of two at least', async () => {
    let isDead = false
    const first = await startFakeNode((_method, [at]) => (isDead ? null : { result: blockAt(Number(at)) }))
    const second = await startFollower({ number: 9 })
    const third = await startFollower({ number: 9 })
    const ask = (urls: string[]) => {
      const chain = chainOf(urls)
      return () => chain.atSeveralNodes(async (node) => [node.name, (await node.block(5n))!.number] as const)
    }
    const names = (answers: (readonly [string, bigint])[]) => new Set(answers.map(([name]) => name)).size
    const askAll = ask([first.url, second.url, third.url])
    const askTwo = ask([first.url, second.url])
    const askOne = ask([second.url])
    expect(names(await askAll())).toBe(3)
    expect(names(await askTwo())).toBe(2)
    expect(await askOne()).toEqual([[expect.stringContaining('127.0.0.1'), 5n]])
    isDead = true
    expect(names(await askAll())).toBe(2)
    await expect(askTwo()).rejects.toBeInstanceOf(ChainUnavailable)
    isDead = false
    // It counts as failed for a minute, and is asked all the same where one answer is missing.
    expect(names(await askTwo())).toBe(2)
    expect(names(await askAll())).toBe(2)
    // One that refuses to run a call hinders none of the others.
    const refusing = (refused: string[]) =>
      chainOf([first.url, second.url, third.url]).atSeveralNodes((node) =>
        refused.includes(node.name.slice(-3)) ? Promise.reject(new CallUndecided('No.')) : Promise.resolve(node.name),
      )
    expect(new Set(await refusing(['(2)'])).size).toBe(2)
    await expect(refusing(['(1)', '(2)'])).rejects.toBeInstanceOf(ChainUnavailable)
    const wrong = chainOf([first.url, second.url]).atSeveralNodes(() => Promise.reject(new RangeError('Wrong.')))
    await expect(wrong).rejects.toBeInstanceOf(RangeError)
  })

  test('a call that takes too long concerns that call, not its node', async () => {
    const slow = await startFakeNode((method, [at]) =>
      method === 'eth_call' ? undefined : { result: blockAt(Number(at)) },
    )
    const other = await startFollower({ number: 8 })
    const chain = chainOf([slow.url])
    await expect(chain.read({ to: zeroAddress, data: '0x' })).rejects.toBeInstanceOf(CallUndecided)
    const both = chainOf([slow.url, other.url])
    await both.read({ to: zeroAddress, data: '0x' }).catch(() => undefined)
    const asked = slow.asked.length
    await both.block(3n)
    expect(slow.asked.length).toBeGreaterThan(asked)
  })
})

describe('what a node answers', () => {
  test('each call gets its own answer from a node that repeats answers and changes their order', async () => {
    await testChain.node.mine({ blocks: 30 })
    const lying = await startLyingNode({ target: testChain.rpcUrl })
    lying.lie(['duplicate', 'reorder'], 1)
    const chain = chainOf([lying.url])
    const numbers = Array.from({ length: 30 }, (_, at) => BigInt(at))
    const blocks = await Promise.all(numbers.map((number) => chain.block(number)))
    expect(blocks.map((block) => block?.number)).toEqual(numbers)
    expect(lying.lies.reorder).toBeGreaterThan(0)
    expect(lying.lies.duplicate).toBeGreaterThan(0)
  })

  test.each(['refuse', 'time_out', 'hang', 'truncate', 'status_429', 'status_503', 'other_chain'] as const)(
    'a node with the fault %s is replaced by the next, and alone is ChainUnavailable',
    async (fault) => {
      const lying = await startLyingNode({ target: testChain.rpcUrl })
      lying.lie(fault, 1)
      await expect(chainOf([lying.url]).head()).rejects.toBeInstanceOf(ChainUnavailable)
      expect((await chainOf([lying.url, testChain.rpcUrl]).head()).number).toBeGreaterThan(0n)
      expect(lying.lies[fault]).toBeGreaterThan(0)
    },
  )

  test('a node that takes no batches gets single calls', async () => {
    const node = await startFakeNode((_method, [at]) => ({ result: blockAt(Number(at)) }), { takesBatches: false })
    const chain = chainOf([node.url])
    const blocks = await Promise.all([1n, 2n, 3n].map((number) => chain.block(number)))
    expect(blocks.map((block) => block?.number)).toEqual([1n, 2n, 3n])
  })
})

describe('finality', () => {
  test('a node that can’t tell the final block is unavailable, and one that has none yet makes nothing final', async () => {
    const answering = async (answer: object) =>
      (await startFakeNode((_method, [at]) => (at === 'finalized' ? answer : { result: blockAt(500) }))).url
    const failing = await answering({ error: { code: -39001, message: 'finalized block not found' } })
    await expect(chainOf([failing], { finality: 'tag' }).finalized()).rejects.toBeInstanceOf(ChainUnavailable)
    expect(await chainOf([await answering({ result: null })], { finality: 'tag' }).finalized()).toBe(0n)
    expect(await chainOf([failing], { finality: 'depth', reorgWindow: 128 }).finalized()).toBe(372n)
  })

  test('where the state of a block is pruned, the transaction count 120 blocks below the head is taken', async () => {
    const counts = (at: string) => (Number(at) < 380 ? null : '0x5')
    const { url } = await startFakeNode((method, params) => {
      if (method === 'eth_getBlockByNumber') return { result: blockAt(500) }
      const count = counts(params[1]!)
      return count ? { result: count } : { error: { code: -32000, message: 'missing trie node 0xab (path )' } }
    })
    expect(await chainOf([url]).nonce(zeroAddress, 100n)).toBe(5)
    expect(await chainOf([url]).nonce(zeroAddress, 490n)).toBe(5)
  })
})
