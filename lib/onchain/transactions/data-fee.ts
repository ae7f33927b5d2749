import { type Address, decodeFunctionResult, encodeFunctionData, parseAbi, serializeTransaction } from 'viem'
import type { Chain, Fees } from '../../ports/chain/chain.ts'
import type { PreparedCall } from './prepare-transaction.ts'

/**
 * The contract that every OP-stack network has at this address, and no other network
 * (https://specs.optimism.io/protocol/predeploys.html).
 */
const GAS_PRICE_ORACLE: Address = '0x420000000000000000000000000000000000000F'
const ABI = parseAbi(['function getL1Fee(bytes unsignedTransaction) view returns (uint256)'])

/** Whether a network has the contract; the answer doesn't change while a process runs. */
const hasOracle = new WeakMap<Chain, boolean>()

async function isOpStack(chain: Chain): Promise<boolean> {
  const known = hasOracle.get(chain)
  if (known !== undefined) return known
  const found = (await chain.code(GAS_PRICE_ORACLE)) !== null
  hasOracle.set(chain, found)
  return found
}

/**
 * The fee of an OP-stack network for publishing a transaction's data on its parent chain, besides gas × price, in wei:
 * the present fee and a quarter more, since it may rise until the transaction is mined. 0 on every other network.
 */
export async function dataFeeOf(chain: Chain, { to, data }: PreparedCall, gas: bigint, fees: Fees): Promise<bigint> {
  if (!(await isOpStack(chain))) return 0n
  // The nonce isn't chosen yet; a large one makes the bytes as long as they can become.
  const bytes = serializeTransaction({ chainId: chain.network.id, nonce: 0xffffffff, to, data, gas, ...fees })
  const answer = await chain.read({
    to: GAS_PRICE_ORACLE,
    data: encodeFunctionData({ abi: ABI, functionName: 'getL1Fee', args: [bytes] }),
  })
  return (decodeFunctionResult({ abi: ABI, functionName: 'getL1Fee', data: answer }) * 5n) / 4n
}
