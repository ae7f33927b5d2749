import os from 'node:os'
import {
  createPublicClient,
  createTestClient,
  createWalletClient,
  encodeDeployData,
  getContractAddress,
  http,
  parseEther,
  type Address,
  type Chain as Definition,
  type Hex,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import {
  vitrine1155Abi,
  vitrine1155Bytecode,
  vitrine721Abi,
  vitrine721Bytecode,
  vitrineFactoryAbi,
  vitrineFactoryBytecode,
} from '../../lib/core/contracts/abi.ts'
import type { Chain, ChainReads } from '../../lib/ports/chain/chain.ts'
import { envKeyring } from '../../lib/ports/chain/env-keyring.ts'
import { networksFromEnv } from '../../lib/ports/chain/networks.ts'
import { viemChain } from '../../lib/ports/chain/viem-chain.ts'
import { keyFor } from '../../lib/core/secrets.ts'
import { replacePorts } from '../../lib/ports/ports.ts'
import { chainBinary } from '../../scripts/launcher/chain.ts'
import { freePort } from '../../scripts/launcher/ports.ts'
import { spawnProgram, stopChild } from '../../scripts/launcher/processes.ts'
import { atFileEnd } from './file-end.ts'
import { receiptOf } from './receipt-of.ts'
import { until } from './until.ts'

export type TestChain = Awaited<ReturnType<typeof startChain>>

/**
 * Starts a chain for this test file, deploys our contracts and sets this process's ports to it. Mines on demand unless
 * `blockTime` (in seconds) is given. With the id of a public network it has that network's finality.
 */
export async function startChain({ blockTime, id = foundry.id }: { blockTime?: number; id?: number } = {}) {
  const definition = { ...foundry, id }
  const port = await freePort()
  const rpcUrl = `http://127.0.0.1:${port}`
  const pace = blockTime ? ['--block-time', String(blockTime), '--mixed-mining'] : []
  const child = spawnProgram({
    name: 'The test chain',
    command: chainBinary(),
    args: ['--port', String(port), '--chain-id', String(id), '--silent', ...pace],
    env: process.env,
    cwd: os.tmpdir(),
    output: os.devNull,
    stopSignal: 'SIGKILL',
  })
  const transport = http(rpcUrl)
  const client = createPublicClient({ chain: definition, transport, pollingInterval: 20 })
  const node = createTestClient({ chain: definition, mode: 'anvil', transport })
  await until('The local chain', () => client.getChainId().catch(() => null))

  const operatorKey = generatePrivateKey()
  const operator = privateKeyToAccount(operatorKey)
  await node.setBalance({ address: operator.address, value: parseEther('10000') })
  const contracts = await deployContracts(rpcUrl, definition)
  const { factory, implementation721, implementation1155 } = contracts
  const configured = networksFromEnv(`${id}=${rpcUrl}`, `${id}=${factory},${implementation721},${implementation1155}`)
  const { network, rpcUrls } = configured[0]!
  const chain = viemChain(network, rpcUrls)
  replacePorts({ chains: new Map([[network.id, chain]]), keys: envKeyring([operatorKey], keyFor('voucher-signer')) })

  const stop = () => stopChild(child, 'SIGKILL')
  atFileEnd(stop)
  return {
    rpcUrl,
    child,
    client,
    node,
    chain,
    network,
    operator,
    operatorKey,
    contracts,
    stop,
    env: chainEnv(id, rpcUrl, contracts, operatorKey),
  }
}

/** Runs without automatic blocks, so that only the test mines. */
export async function withoutMining({ node }: Pick<TestChain, 'node'>, work: () => Promise<void>): Promise<void> {
  await node.setAutomine(false)
  try {
    await work()
  } finally {
    await node.setAutomine(true)
  }
}

/** A chain with other answers to some reads, whichever node is asked. */
export const withReads = (chain: Chain, reads: Partial<ChainReads>): Chain => ({
  ...chain,
  ...reads,
  atOneNode: (work, options) => chain.atOneNode((node) => work({ ...node, ...reads }), options),
  atSeveralNodes: (work) => chain.atSeveralNodes((node) => work({ ...node, ...reads })),
})

/** A chain whose blocks all have other hashes than those that were entered, as after a reorg. */
export const reorganized = (chain: Chain): Chain =>
  withReads(chain, { block: async (number) => ({ ...(await chain.block(number))!, hash: `0x${'1'.repeat(64)}` }) })

const chainEnv = (id: number, rpcUrl: string, contracts: TestContracts, operatorKey: Hex) => ({
  RPC_URLS: `${id}=${rpcUrl}`,
  CONTRACTS: `${id}=${contracts.factory},${contracts.implementation721},${contracts.implementation1155}`,
  OPERATOR_KEYS: operatorKey,
})

type TestContracts = { factory: Address; implementation721: Address; implementation1155: Address }

async function deployContracts(rpcUrl: string, chain: Definition): Promise<TestContracts> {
  const account = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
  const wallet = createWalletClient({ account, chain, transport: http(rpcUrl) })
  const client = createPublicClient({ chain, transport: http(rpcUrl), pollingInterval: 20 })
  const first = await client.getTransactionCount({ address: account.address })
  const prefix = 'http://localhost:3000/public/v1/metadata/'
  const codes = [
    encodeDeployData({ abi: vitrineFactoryAbi, bytecode: vitrineFactoryBytecode }),
    encodeDeployData({ abi: vitrine721Abi, bytecode: vitrine721Bytecode, args: [prefix] }),
    encodeDeployData({ abi: vitrine1155Abi, bytecode: vitrine1155Bytecode, args: [prefix] }),
  ]
  const hashes = await Promise.all(
    codes.map((data, at) => wallet.sendTransaction({ data, nonce: first + at, gas: 8_000_000n })),
  )
  await Promise.all(hashes.map((hash) => receiptOf(client, hash)))
  const at = (offset: number) => getContractAddress({ from: account.address, nonce: BigInt(first + offset) })
  return { factory: at(0), implementation721: at(1), implementation1155: at(2) }
}
