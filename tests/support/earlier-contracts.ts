import fs from 'node:fs'
import path from 'node:path'
import { createWalletClient, encodeDeployData, http, parseAbi, parseEther, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { replacePorts } from '../../lib/ports/ports.ts'
import type { TestChain } from './chain.ts'
import { receiptOf } from './receipt-of.ts'

/**
 * The creation code of Vitrine721 before the bound of ids in consecutive batches; collections cloned from it remain in
 * use.
 */
export const vitrine721BeforeIdLimit = fs
  .readFileSync(path.join(import.meta.dirname, '../../contracts/test/earlier/Vitrine721-2-d389816b.hex'), 'utf8')
  .trim() as Hex

/** Does the work while CONTRACTS names an ERC-721 implementation of an earlier release. */
export async function withEarlierContracts<T>(
  testChain: TestChain,
  bytecode: Hex,
  work: (earlier: TestChain) => Promise<T>,
): Promise<T> {
  const { chain, network, client, node } = testChain
  const account = privateKeyToAccount(generatePrivateKey())
  await node.setBalance({ address: account.address, value: parseEther('1') })
  const wallet = createWalletClient({ account, chain: foundry, transport: http(testChain.rpcUrl) })
  const abi = parseAbi(['constructor(string metadataPrefix)'])
  const data = encodeDeployData({ abi, bytecode, args: ['http://localhost:3000/public/v1/metadata/'] })
  const { contractAddress } = await receiptOf(client, await wallet.sendTransaction({ data, gas: 8_000_000n }))
  const contracts = { ...network.contracts!, implementation721: contractAddress! }
  const earlier = { ...chain, network: { ...network, contracts } }
  replacePorts({ chains: new Map([[network.id, earlier]]) })
  try {
    return await work({ ...testChain, chain: earlier })
  } finally {
    replacePorts({ chains: new Map([[network.id, chain]]) })
  }
}
