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

describe('ranges of logs', () => {
  const filter = { addresses: [zeroAddress], topics: [] }
  /** A node that answers eth_getLogs for up to `limit` blocks, and refuses more with this error. */
  const startLimited = (limit: { blocks: number }, error: { code: number; message: string }) =>
    startFakeNode((method, [range]) => {
      const { fromBlock, toBlock } = range as unknown as { fromBlock: Hex; toBlock: Hex }
      return Number(toBlock) - Number(fromBlock) + 1 > limit.blocks ? { error } : { result: [] }
    })
  const rangesOf = (node: { calls(method: string): { params: readonly unknown[] }[] }) =>
    node.calls('eth_getLogs').map(({ params }) => {
      const { fromBlock, toBlock } = params[0] as { fromBlock: Hex; toBlock: Hex }
      return [Number(fromBlock), Number(toBlock)]
    })

  test.each([
    // Infura: docs.infura.io, eth_getLogs, constraints; INFURA/infura#237
    [-32005, 'query returned more than 10000 results. Try with this block range [0x1, 0x2].'],
    [-32005, 'query timeout exceeded. Consider reducing your block range.'],
    [-32602, 'range 1000000 exceeds limit of 10000'],
    // Alchemy: bancorprotocol/webapp#523 and its documentation of eth_getLogs
    [
      -32602,
      'Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range and no limit on the response size, or you can request any block range with a cap of 10K logs in the response. Based on your parameters and the response size limit, this block range should work: [0x0, 0x7]',
    ],
    [-32600, 'Under the Free tier plan, you can make eth_getLogs requests with up to a 10 block range.'],
    // QuickNode, also behind rpc.berachain.com
    [-32614, 'eth_getLogs is limited to a 10,000 range'],
    // geth and Erigon: rpc/errors.go
    [-32002, 'request timed out'],
    [-32003, 'response too large'],
    // Nethermind: Nethermind.JsonRpc/Modules/Eth/EthRpcModule.cs
    [-32005, 'Too many logs requested. Max logs per response is 20000.'],
    // Besu: RpcErrorType.EXCEEDS_RPC_MAX_BLOCK_RANGE
    [-32005, 'Requested range exceeds maximum RPC range limit'],
    // Reth: crates/rpc/rpc/src/eth/filter.rs
    [-32602, 'query exceeds max block range 100000'],
    [-32602, 'query exceeds max results 20000, retry with the range 1-8'],
    // Public gateways: publicnode.com, drpc.org, 1rpc.io, BNB Chain’s data seeds, cloudflare-eth.com
    [-32701, 'exceed maximum block range: 50000'],
    [35, 'ranges over 10000 blocks are not supported on freetier'],
    [-32602, 'eth_getLogs is limited to 0 - 50 blocks range'],
    [-32005, 'limit exceeded'],
    [-32046, 'Cannot fulfill request'],
  ])('%i "%s" halves the range', async (code, message) => {
    const node = await startLimited({ blocks: 8 }, { code, message })
    expect(await chainOf([node.url]).logs({ ...filter, from: 1n, to: 40n })).toEqual([])
    const answered = rangesOf(node).filter(([from, to]) => to! - from! < 8)
    expect(answered.reduce((blocks, [from, to]) => blocks + to! - from! + 1, 0)).toBe(40)
  })

  test.each([
    [-32005, 'daily request count exceeded, request rate limited'],
    [-32005, 'project ID request rate exceeded'],
    [429, 'Your app has exceeded its compute units per second capacity.'],
    [-32007, '15/second request limit reached - reduce calls per second or upgrade your account at quicknode.com'],
    [-32016, 'over rate limit'],
    [-32090, 'Too many requests, reason: call rate limit exhausted, retry in 10s'],
  ])('%i "%s" is a rate limit: the range stays, and another node is asked', async (code, message) => {
    const limited = await startLimited({ blocks: 0 }, { code, message })
    const range = { ...filter, from: 1n, to: 40n }
    await expect(chainOf([limited.url]).logs(range)).rejects.toBeInstanceOf(ChainUnavailable)
    expect(rangesOf(limited)).toEqual([[1, 40]])
    const other = await startLimited({ blocks: 1000 }, { code, message })
    expect(await chainOf([limited.url, other.url]).logs(range)).toEqual([])
    expect(rangesOf(other)).toEqual([[1, 40]])
  })

  test('the width is remembered, halved by refusals and widened again after successes', async () => {
    const limit = { blocks: 100 }
    const node = await startLimited(limit, { code: -32005, message: 'query returned more than 10000 results' })
    const chain = chainOf([node.url])
    await chain.logs({ ...filter, from: 0n, to: 999n })
    const refused = rangesOf(node).filter(([from, to]) => to! - from! >= 100).length
    expect(refused).toBeLessThanOrEqual(8)
    node.asked.length = 0
    await chain.logs({ ...filter, from: 0n, to: 61n })
    expect(rangesOf(node)).toEqual([[0, 61]])
    limit.blocks = 10_000
    await chain.logs({ ...filter, from: 0n, to: 9_999n })
    expect(Math.max(...rangesOf(node).map(([from, to]) => to! - from! + 1))).toBeGreaterThan(1_000)
  })

  test('a range that a node doesn’t read in time is halved, while the node stays in use', async () => {
    const node = await startFakeNode((_method, [range]) => {
      const { fromBlock, toBlock } = range as unknown as { fromBlock: Hex; toBlock: Hex }
      return Number(toBlock) - Number(fromBlock) >= 30 ? undefined : { result: [] }
    })
    expect(await chainOf([node.url]).logs({ ...filter, from: 1n, to: 40n })).toEqual([])
    expect(rangesOf(node)).toEqual([
      [1, 40],
      [1, 20],
      [21, 40],
    ])
  })

  test('a node that never reads logs in time is asked last for a minute when another one does', async () => {
    const slow = await startFakeNode(() => undefined)
    const sound = await startLimited({ blocks: 10_000 }, { code: 0, message: '' })
    for (const ask of ['logs', 'atOneNode'] as const) {
      slow.asked.length = 0
      const chain = chainOf([slow.url, sound.url])
      for (let call = 0; call < 5; call++)
        if (ask === 'logs') await chain.logs({ ...filter, from: 1n, to: 40n })
        else await chain.atOneNode((node) => node.logs({ ...filter, from: 1n, to: 40n }))
      expect(slow.calls('eth_getLogs').length, ask).toBeLessThanOrEqual(3)
    }
  })

  test('a single block that is refused is ChainUnavailable', async () => {
    const node = await startLimited({ blocks: 0 }, { code: -32000, message: 'query returned more than 10000 results' })
    await expect(chainOf([node.url]).logs({ ...filter, from: 1n, to: 4n })).rejects.toBeInstanceOf(ChainUnavailable)
  })

  test('logs come once each and in chain order, whatever the node returns', async () => {
    const logAt = (block: number, index: number) => ({
      address: zeroAddress,
      topics: [],
      data: '0x',
      blockNumber: numberToHex(block),
      blockHash: hash(block),
      transactionHash: hash(1),
      logIndex: numberToHex(index),
    })
    const result = [logAt(3, 1), logAt(2, 0), logAt(3, 1), logAt(3, 0), logAt(9, 0)]
    const node = await startFakeNode(() => ({ result }))
    const logs = await chainOf([node.url]).logs({ ...filter, from: 1n, to: 4n })
    expect(logs.map(({ blockNumber, logIndex }) => [blockNumber, logIndex])).toEqual([
      [2n, 0],
      [3n, 0],
      [3n, 1],
    ])
  })
})
