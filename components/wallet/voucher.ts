import { getAddress, isHex, numberToHex, zeroAddress } from 'viem'
import type { Address, Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { z } from 'zod'
import type { mintVoucher } from '@/lib/platform/api/mint-vouchers'
import { encodeMintWithVoucher } from '@/lib/core/contracts/vouchers'
import { RelayRefusal, relay } from '../shared/relay'

/** A signed permission to mint, which its holder sends and pays for. */
export type VoucherEntry = z.input<typeof mintVoucher>

export type MintCall = { to: Address; data: Hex; value: bigint }

/** The call that redeems a voucher. Anyone may send it; the item goes to the voucher's minter. */
export function mintCallOf({ contract, minter, signature, voucher }: VoucherEntry): MintCall {
  const price = BigInt(voucher.price) * BigInt(voucher.quantity)
  return {
    to: getAddress(contract),
    value: voucher.currency === zeroAddress ? price : 0n,
    data: encodeMintWithVoucher(
      {
        minter: getAddress(minter),
        netRecipient: getAddress(voucher.net_recipient),
        initialRecipient: getAddress(voucher.initial_recipient),
        initialRecipientAmount: BigInt(voucher.initial_recipient_amount),
        quantity: BigInt(voucher.quantity),
        nonce: BigInt(voucher.nonce),
        expiry: BigInt(voucher.expiry),
        price: BigInt(voucher.price),
        tokenId: BigInt(voucher.token_id),
        currency: getAddress(voucher.currency),
      },
      signature as Hex,
    ),
  }
}

const quantity = async (networkId: number, method: string, params: unknown[]): Promise<bigint> => {
  const answer = await relay(networkId, method, params)
  if (!isHex(answer)) throw new RelayRefusal('The network gave an answer we can’t read.')
  return BigInt(answer)
}

export type MintQuote = {
  gas: bigint
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
  /** What the sender must own, at most: gas at its highest fee, and the price. */
  needed: bigint
  balance: bigint
}

/** What sending the mint from this address would cost right now, and whether its balance covers that. */
export async function quoteMint(entry: VoucherEntry, from: Address): Promise<MintQuote> {
  const { network_id: networkId } = entry
  const call = mintCallOf(entry)
  const [estimate, fees, priority, balance] = await Promise.all([
    // Without a gas price the node doesn't check the sender's balance, so an empty wallet gets an estimate too.
    quantity(networkId, 'eth_estimateGas', [{ from, to: call.to, data: call.data, value: numberToHex(call.value) }]),
    relay(networkId, 'eth_feeHistory', ['0x1', 'latest', []]),
    quantity(networkId, 'eth_maxPriorityFeePerGas', []),
    quantity(networkId, 'eth_getBalance', [from, 'latest']),
  ])
  const bases =
    typeof fees === 'object' && fees !== null && 'baseFeePerGas' in fees && Array.isArray(fees.baseFeePerGas)
      ? fees.baseFeePerGas
      : []
  const base = bases.filter((entry): entry is Hex => isHex(entry)).at(-1)
  if (!base) throw new RelayRefusal('The network gave an answer we can’t read.')
  const gas = estimate + estimate / 10n
  const maxFeePerGas = BigInt(base) * 2n + priority
  return { gas, maxFeePerGas, maxPriorityFeePerGas: priority, needed: gas * maxFeePerGas + call.value, balance }
}

/** Signs the mint in the page and broadcasts it. Returns the transaction's hash. */
export async function sendMint(entry: VoucherEntry, key: Hex, quote: MintQuote): Promise<Hex> {
  const account = privateKeyToAccount(key)
  const nonce = await quantity(entry.network_id, 'eth_getTransactionCount', [account.address, 'pending'])
  const signed = await account.signTransaction({
    type: 'eip1559',
    chainId: entry.network_id,
    nonce: Number(nonce),
    gas: quote.gas,
    maxFeePerGas: quote.maxFeePerGas,
    maxPriorityFeePerGas: quote.maxPriorityFeePerGas,
    ...mintCallOf(entry),
  })
  const hash = await relay(entry.network_id, 'eth_sendRawTransaction', [signed])
  if (!isHex(hash)) throw new RelayRefusal('The network gave an answer we can’t read.')
  return hash
}
