import { beforeAll, describe, expect, test } from 'vitest'
import { now } from '../../lib/core/clock.ts'
import { contracts } from '../../scripts/doctor/checks/contracts.ts'
import { nodes } from '../../scripts/doctor/checks/nodes.ts'
import { operators } from '../../scripts/doctor/checks/operators.ts'
import { startChain, type TestChain } from '../support/chain.ts'
import { find, startSilentServer } from '../support/doctor.ts'
import { startFakeNode } from '../support/fake-node.ts'

const SEPOLIA = 11_155_111

/** A node of Sepolia whose latest block has this age; `final` is its answer about the final block. */
const startSepoliaNode = (
  ageSeconds: number,
  final: { result: unknown } | { error: { code: number; message: string } },
) =>
  startFakeNode(
    (method, [at]) =>
      method === 'eth_getBlockByNumber'
        ? at === 'finalized'
          ? final
          : {
              result: {
                number: '0x10',
                timestamp: `0x${(Math.floor(now().getTime() / 1000) - ageSeconds).toString(16)}`,
              },
            }
        : method === 'eth_getCode'
          ? { result: '0x' }
          : { result: '0x0' },
    { chainId: `0x${SEPOLIA.toString(16)}` },
  )
const FINAL = { result: { number: '0x8', timestamp: '0x1' } }

let local: TestChain

beforeAll(async () => {
  local = await startChain()
})

describe('nodes', () => {
  test('one of another chain is wrong, also beside a right one', async () => {
    const other = await startFakeNode(() => ({ result: { number: '0x1', timestamp: '0x1' } }), { chainId: '0x5' })
    const found = await find(nodes, { settings: { RPC_URLS: `31337=${local.rpcUrl},${other.url}` } })
    expect(found).toEqual([
      expect.stringMatching(/^ok /),
      expect.stringMatching(/^wrong .*of the chain 5, not of 31337/),
    ])
  })

  test('one that never answers is wrong alone, and a warning beside one that answers', async () => {
    const hung = `http://127.0.0.1:${await startSilentServer()}`
    expect(await find(nodes, { settings: { RPC_URLS: `31337=${hung}` }, timeoutMs: 100 })).toEqual([
      expect.stringMatching(/^wrong .*does not answer/),
    ])
    expect(await find(nodes, { settings: { RPC_URLS: `31337=${hung},${local.rpcUrl}` }, timeoutMs: 2_000 })).toEqual([
      expect.stringMatching(/^warning .*does not answer/),
      expect.stringMatching(/^ok /),
    ])
  })

  test('one that knows no final block is wrong, unless the network is final by depth', async () => {
    const none = await startSepoliaNode(10, { result: null })
    const refuses = await startSepoliaNode(10, { error: { code: -32602, message: 'unknown block tag' } })
    for (const { url } of [none, refuses])
      expect(await find(nodes, { settings: { RPC_URLS: `${SEPOLIA}=${url}` } })).toEqual([
        expect.stringMatching(/^ok /),
        expect.stringMatching(/^wrong .*FINAL_BY_DEPTH/),
      ])
    const byDepth = { RPC_URLS: `${SEPOLIA}=${none.url}`, FINAL_BY_DEPTH: String(SEPOLIA) }
    expect(await find(nodes, { settings: byDepth })).toEqual([expect.stringMatching(/^ok /)])
  })

  test.each([
    [10, 'ok'],
    [900, 'warning'],
    [7200, 'wrong'],
  ])('a latest block %d s old is %s', async (ageSeconds, verdict) => {
    const { url } = await startSepoliaNode(ageSeconds, FINAL)
    const [age] = await find(nodes, { settings: { RPC_URLS: `${SEPOLIA}=${url}` } })
    expect(age).toMatch(new RegExp(`^${verdict} `))
  })

  test('a contract without code is wrong, and a network without contracts a warning', async () => {
    const { url } = await startSepoliaNode(10, FINAL)
    const address = local.contracts.factory
    const settings = { RPC_URLS: `${SEPOLIA}=${url}`, CONTRACTS: `${SEPOLIA}=${address},${address},${address}` }
    expect(await find(contracts, { settings })).toEqual(
      Array.from({ length: 3 }, () => expect.stringMatching(`^wrong .*no contract at ${address}`)),
    )
    expect(await find(contracts, { settings: { RPC_URLS: settings.RPC_URLS } })).toEqual([
      expect.stringMatching(/^warning .*deploy-contracts/),
    ])
  })

  test('an operator without coins is wrong, one below the floor a warning', async () => {
    const { url } = await startSepoliaNode(10, FINAL)
    const settings = { OPERATOR_KEYS: local.operatorKey, RPC_URLS: `${SEPOLIA}=${url};31337=${local.rpcUrl}` }
    const high = { ...settings, OPERATOR_FLOOR_GWEI: '20000000000000' }
    expect(await find(operators, { settings })).toEqual([
      expect.stringMatching(`^wrong ${local.operator.address} on Sepolia`),
      expect.stringMatching(/^ok /),
    ])
    expect((await find(operators, { settings: high }))[1]).toMatch(/^warning .*OPERATOR_FLOOR_GWEI/)
  })

  test('a key in a node’s URL is never shown', async () => {
    const key = 'k3y0f0urn0dethatn0b0dysees'
    const settings = {
      RPC_URLS: `${SEPOLIA}=http://user:${key}@127.0.0.1:1/v3/${key}?k=${key}`,
      OPERATOR_KEYS: local.operatorKey,
    }
    const found = [
      ...(await find(nodes, { settings })),
      ...(await find(operators, { settings })),
      ...(await find(contracts, { settings })),
    ]
    expect(found.length).toBeGreaterThan(2)
    expect(found.join('\n')).not.toContain(key)
  })
})
