import {
  createWalletClient,
  encodeFunctionData,
  getAddress,
  http,
  parseAbi,
  parseEther,
  type Address,
  type Hex,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import type { TestChain } from './chain.ts'
import { compiled } from './foreign-contract.ts'
import { receiptOf } from './receipt-of.ts'

/**
 * A contract wallet that takes tokens and says that it signed everything, until it is told to refuse both, or to burn
 * gas when it gets a token.
 */
const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;
contract ChangingAccount {
  bool private refuses;
  uint256 private burns;
  function change(bool refuses_, uint256 burns_) external { (refuses, burns) = (refuses_, burns_); }
  function isValidSignature(bytes32, bytes calldata) external view returns (bytes4) {
    return refuses ? bytes4(0xffffffff) : bytes4(0x1626ba7e);
  }
  function onERC721Received(address, address, uint256, bytes calldata) external view returns (bytes4) {
    uint256 left = gasleft();
    require(left > burns);
    while (gasleft() > left - burns) {}
    return refuses ? bytes4(0) : bytes4(0x150b7a02);
  }
}`

const abi = parseAbi(['function change(bool refuses, uint256 burns)'])
let bytecode: Hex | undefined

/** The call that changes what such an account does from then on. */
export const encodeChange = ({ refuses = false, burns = 0n }): Hex =>
  encodeFunctionData({ abi, functionName: 'change', args: [refuses, burns] })

/** Deploys one. Anyone may change it. */
export async function deployChangingAccount({ rpcUrl, client, node }: TestChain): Promise<Address> {
  bytecode ??= compiled('ChangingAccount', SOURCE, 'bytecode')
  const account = privateKeyToAccount(generatePrivateKey())
  await node.setBalance({ address: account.address, value: parseEther('1') })
  const wallet = createWalletClient({ account, chain: foundry, transport: http(rpcUrl) })
  const hash = await wallet.sendTransaction({ data: bytecode })
  return getAddress((await receiptOf(client, hash)).contractAddress!)
}
