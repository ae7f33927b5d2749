import { beforeAll, describe, expect, test } from 'vitest'
import { numberToHex, zeroAddress, type Hex } from 'viem'
import { ChainUnavailable, type Network } from '../../lib/ports/chain/chain.ts'
import { viemChain } from '../../lib/ports/chain/viem-chain.ts'
import { startChain, type TestChain } from '../support/chain.ts'
import { startFakeNode } from '../support/fake-node.ts'

let testChain: TestChain
const TIMEOUT_MS = 500

beforeAll(async () => {
  testChain = await startChain()
})

const chainOf = (urls: string[], network: Partial<Network> = {}) =>
  viemChain({ ...testChain.network, ...network }, urls, { timeoutMs: TIMEOUT_MS })

const hash = (number: number): Hex => `0x${number.toString(16).padStart(64, '0')}`

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
