import {
  createWalletClient,
  encodeDeployData,
  encodeFunctionData,
  getAddress,
  http,
  parseAbi,
  parseEther,
  type Address,
} from 'viem'
import { foundry } from 'viem/chains'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { newId } from '../../lib/core/id.ts'
import { callerOf } from './call.ts'
import type { TestChain } from './chain.ts'
import { makeItems } from './collections.ts'
import { compiled } from './foreign-contract.ts'
import type { TestOrganization } from './organization.ts'
import { receiptOf } from './receipt-of.ts'
import { makeSender } from './sending.ts'

/** A foreign contract that lets anybody mint, and uses up as much gas for it as its owner likes. */
const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
contract Greedy is ERC721 {
  uint256 public wanted;
  constructor(uint256 gas_) ERC721("Greedy", "GRD") { wanted = gas_; }
  function want(uint256 gas_) external { wanted = gas_; }
  function rolesOf(address) external pure returns (uint256) { return type(uint256).max; }
  function adminMint(address to, uint256 id) external { take(wanted); _mint(to, id); }
  function adminMintMultiple(bytes calldata packed) external {
    uint256 width = uint8(packed[0]);
    for (uint256 at = 1; at < packed.length; at += 20 + width) {
      take(wanted);
      _mint(address(bytes20(packed[at:at + 20])), uint256(bytes32(packed[at + 20:at + 20 + width])) >> (256 - 8 * width));
    }
  }
  function take(uint256 gas_) private view { uint256 from = gasleft(); while (from - gasleft() < gas_) {} }
}`
const abi = parseAbi(['constructor(uint256 gas_)', 'function want(uint256 gas_)'])

/** Connects a foreign contract whose mints use up `wanted` gas each, with locked items. */
export async function makeGreedyCollection(
  organization: TestOrganization,
  testChain: TestChain,
  { wanted, items = 1 }: { wanted: bigint; items?: number },
) {
  const owner = privateKeyToAccount(generatePrivateKey())
  await testChain.node.setBalance({ address: owner.address, value: parseEther('100') })
  const wallet = createWalletClient({ account: owner, chain: foundry, transport: http(testChain.rpcUrl) })
  const data = encodeDeployData({ abi, bytecode: compiled('Greedy', SOURCE, 'bytecode'), args: [wanted] })
  const { contractAddress } = await receiptOf(testChain.client, await wallet.sendTransaction({ data }))
  const contract: Address = getAddress(contractAddress!)
  const api = callerOf(organization.key)
  const { status, body } = await api.post('/v1/collections', {
    name: `Greedy ${newId()}`,
    deployment_request: { network_id: 31337, type: 'EXTERNAL', external: { address: contract, token_type: 'ERC721' } },
  })
  if (status !== 201) throw new Error(JSON.stringify(body))
  const collectionId = body.id as string
  const itemIds = await makeItems(api, collectionId, items)
  const want = async (gas: bigint): Promise<void> => {
    const call = encodeFunctionData({ abi, functionName: 'want', args: [gas] })
    await receiptOf(testChain.client, await wallet.sendTransaction({ to: contract, data: call }))
  }
  return { collectionId, contract, itemIds, api, sender: makeSender(testChain), want }
}
