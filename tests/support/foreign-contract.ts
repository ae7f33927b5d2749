import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import {
  createWalletClient,
  encodeDeployData,
  getAddress,
  http,
  parseAbi,
  type Address,
  type Hex,
  type PrivateKeyAccount,
} from 'viem'
import { foundry } from 'viem/chains'
import type { TestChain } from './chain.ts'
import { receiptOf } from './receipt-of.ts'

/** A foreign contract: a plain OpenZeppelin ERC-721. */
const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
contract Plain is ERC721 {
  constructor() ERC721("Plain", "PLN") {}
  function mint(address to, uint256 id) external { _mint(to, id); }
  function tokenURI(uint256 id) public pure override returns (string memory) {
    if (id == 1) return 'data:application/json;utf8,{"name":"Plain one","description":"Says what it is.","image":"ipfs://x","attributes":[{"trait_type":"colour","value":"red"},{"trait_type":"tag","value":"a"},{"trait_type":"tag","value":"b"}]}';
    if (id == 2) return "data:application/json;base64,eyJuYW1lIjoiUGxhaW4gdHdvIn0=";
    if (id == 3) return "http://127.0.0.1:1/private.json";
    revert("It says nothing.");
  }
}`

export const plainErc721Abi = parseAbi([
  'function mint(address to, uint256 id)',
  'function ownerOf(uint256 id) view returns (address)',
  'function transferFrom(address from, address to, uint256 id)',
])

type Solc = { compile: (input: string, options: { import: (file: string) => { contents: string } }) => string }
type Compiled = {
  contracts: Record<
    string,
    Record<string, { evm: Partial<Record<'bytecode' | 'deployedBytecode', { object: string }>> }>
  >
  errors?: { severity: string; formattedMessage: string }[]
}

/** Compiles one contract of a file of its own: what deploys it, or what it then is. */
export function compiled(name: string, source: string, what: 'bytecode' | 'deployedBytecode'): Hex {
  const require = createRequire(import.meta.url)
  const solc = require('solc') as Solc
  const input = {
    language: 'Solidity',
    sources: { 'Own.sol': { content: source } },
    settings: { evmVersion: 'cancun', outputSelection: { '*': { [name]: [`evm.${what}.object`] } } },
  }
  const root = path.resolve(import.meta.dirname, '../../node_modules')
  const output = JSON.parse(
    solc.compile(JSON.stringify(input), {
      import: (file) => ({ contents: readFileSync(path.join(root, file), 'utf8') }),
    }),
  ) as Compiled
  const failed = output.errors?.find(({ severity }) => severity === 'error')
  if (failed) throw new Error(failed.formattedMessage)
  return `0x${output.contracts['Own.sol']![name]!.evm[what]!.object}`
}

export const plainErc721Bytecode = (): Hex => compiled('Plain', SOURCE, 'bytecode')

export async function deployPlainErc721(chain: TestChain, owner: PrivateKeyAccount): Promise<Address> {
  const wallet = createWalletClient({ account: owner, chain: foundry, transport: http(chain.rpcUrl) })
  const hash = await wallet.sendTransaction({
    data: encodeDeployData({ abi: plainErc721Abi, bytecode: plainErc721Bytecode() }),
  })
  const receipt = await receiptOf(chain.client, hash)
  return getAddress(receipt.contractAddress!)
}
