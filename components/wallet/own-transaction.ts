import { isHex } from 'viem'
import type { Address, Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { relay } from '../shared/relay'

export type OwnCall = { to: Address; data: Hex; value: bigint }

/** In wei per gas. */
export type Fees = { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }

const unreadable = () => new Error('The node’s answer can’t be read.')

/** Asks a network's node for a number, through our relay. */
export async function askNumber(networkId: number, method: string, params: unknown[]): Promise<bigint> {
  const answer = await relay(networkId, method, params)
  if (!isHex(answer)) throw unreadable()
  return BigInt(answer)
}

/**
 * Asks for the fees of gas: `baseFee` of the next block, and the fees that a transaction offers so that it is mined
 * even when that doubles. In wei.
 */
export async function askFees(networkId: number): Promise<Fees & { baseFee: bigint }> {
  const [history, maxPriorityFeePerGas] = await Promise.all([
    relay(networkId, 'eth_feeHistory', ['0x1', 'latest', []]),
    askNumber(networkId, 'eth_maxPriorityFeePerGas', []),
  ])
  const bases =
    typeof history === 'object' &&
    history !== null &&
    'baseFeePerGas' in history &&
    Array.isArray(history.baseFeePerGas)
      ? history.baseFeePerGas
      : []
  const base = bases.filter((entry): entry is Hex => isHex(entry)).at(-1)
  if (!base) throw unreadable()
  const baseFee = BigInt(base)
  return { baseFee, maxFeePerGas: baseFee * 2n + maxPriorityFeePerGas, maxPriorityFeePerGas }
}

export const askBalance = (networkId: number, address: Address): Promise<bigint> =>
  askNumber(networkId, 'eth_getBalance', [address, 'latest'])

/** Signs a transaction in the page and broadcasts it. Returns its hash. */
export async function sendFromPage(
  networkId: number,
  key: Hex,
  call: OwnCall,
  { gas, maxFeePerGas, maxPriorityFeePerGas }: Fees & { gas: bigint },
): Promise<Hex> {
  const account = privateKeyToAccount(key)
  const nonce = await askNumber(networkId, 'eth_getTransactionCount', [account.address, 'pending'])
  const signed = await account.signTransaction({
    type: 'eip1559',
    chainId: networkId,
    nonce: Number(nonce),
    gas,
    maxFeePerGas,
    maxPriorityFeePerGas,
    ...call,
  })
  const hash = await relay(networkId, 'eth_sendRawTransaction', [signed])
  if (!isHex(hash)) throw unreadable()
  return hash
}
