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

/** One whose metadata changes, as its events say or without a word. */
const CHANGING = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {ERC1155} from "@openzeppelin/contracts/token/ERC1155/ERC1155.sol";
contract Changing is ERC721 {
  event MetadataUpdate(uint256 _tokenId);
  event BatchMetadataUpdate(uint256 _fromTokenId, uint256 _toTokenId);
  mapping(uint256 => string) uris;
  constructor() ERC721("Changing", "CHG") {}
  function mint(address to, uint256 id) external { _mint(to, id); }
  function set(uint256 id, string calldata value) external { uris[id] = value; }
  function tell(uint256 id) external { emit MetadataUpdate(id); }
  function tellAll(uint256 from, uint256 to) external { emit BatchMetadataUpdate(from, to); }
  function tokenURI(uint256 id) public view override returns (string memory) {
    require(bytes(uris[id]).length > 0, "It says nothing.");
    return uris[id];
  }
}
contract Editions is ERC1155 {
  mapping(uint256 => string) uris;
  constructor() ERC1155("") {}
  function mint(address to, uint256 id) external { _mint(to, id, 5, ""); }
  function set(uint256 id, string calldata value) external { uris[id] = value; }
  function tell(uint256 id) external { emit URI(uris[id], id); }
  function uri(uint256 id) public view override returns (string memory) { return uris[id]; }
}`

export const changingAbi = parseAbi([
  'function mint(address to, uint256 id)',
  'function set(uint256 id, string value)',
  'function tell(uint256 id)',
  'function tellAll(uint256 from, uint256 to)',
])

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

export const deployPlainErc721 = (chain: TestChain, owner: PrivateKeyAccount): Promise<Address> =>
  deploy(chain, owner, plainErc721Bytecode())

/** ERC-721, or ERC-1155. */
export const deployChanging = (
  chain: TestChain,
  owner: PrivateKeyAccount,
  name: 'Changing' | 'Editions' = 'Changing',
): Promise<Address> => deploy(chain, owner, compiled(name, CHANGING, 'bytecode'))

async function deploy(chain: TestChain, owner: PrivateKeyAccount, bytecode: Hex): Promise<Address> {
  const wallet = createWalletClient({ account: owner, chain: foundry, transport: http(chain.rpcUrl) })
  const hash = await wallet.sendTransaction({ data: encodeDeployData({ abi: plainErc721Abi, bytecode }) })
  const receipt = await receiptOf(chain.client, hash)
  return getAddress(receipt.contractAddress!)
}
