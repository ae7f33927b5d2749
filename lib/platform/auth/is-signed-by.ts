import { type Address, encodeFunctionData, type Hex, isAddressEqual, parseAbi, recoverAddress, size } from 'viem'
import { type Chain, CallReverted } from '../../ports/chain/chain.ts'

/**
 * Whether an address signed a hash with its key or, where it is a contract on this chain, accepts the signature
 * (ERC-1271).
 */
export async function isSignedBy(
  address: Address,
  hash: Hex,
  signature: Hex,
  chain: Chain | undefined,
): Promise<boolean> {
  if (await isSignedByKey(address, hash, signature)) return true
  return chain !== undefined && isAcceptedByWallet(chain, address, hash, signature)
}

async function isSignedByKey(address: Address, hash: Hex, signature: Hex): Promise<boolean> {
  if (size(signature) !== 65) return false
  try {
    return isAddressEqual(await recoverAddress({ hash, signature }), address)
  } catch {
    return false // No key can have signed that.
  }
}

const ERC1271 = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)'])
const ACCEPTED = `0x1626ba7e${'0'.repeat(56)}`

async function isAcceptedByWallet(chain: Chain, address: Address, hash: Hex, signature: Hex): Promise<boolean> {
  if ((await chain.code(address)) === null) return false
  const data = encodeFunctionData({ abi: ERC1271, functionName: 'isValidSignature', args: [hash, signature] })
  try {
    return (await chain.read({ to: address, data })) === ACCEPTED
  } catch (error) {
    if (error instanceof CallReverted) return false
    throw error
  }
}
