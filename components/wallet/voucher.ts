import { getAddress, numberToHex, zeroAddress } from 'viem'
import type { Address, Hex } from 'viem'
import type { z } from 'zod'
import type { mintVoucher } from '@/lib/platform/api/mint-vouchers'
import { encodeMintWithVoucher } from '@/lib/core/contracts/vouchers'
import { askBalance, askFees, askNumber, type Fees, type OwnCall, sendFromPage } from './own-transaction'

/** A signed permission to mint, which its holder sends and pays for. */
export type VoucherEntry = z.input<typeof mintVoucher>

/** The call that redeems a voucher. Anyone may send it; the item goes to the voucher's minter. */
export function mintCallOf({ contract, minter, signature, voucher }: VoucherEntry): OwnCall {
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

export type MintQuote = Fees & {
  gas: bigint
  /** The most that the sender must own, in wei: gas at its highest fee, and the price where coins pay it. */
  needed: bigint
  balance: bigint
}

/** The present price of sending the mint from this address, and the balance of the address. */
export async function quoteMint(entry: VoucherEntry, from: Address): Promise<MintQuote> {
  const { network_id: networkId } = entry
  const call = mintCallOf(entry)
  const [estimate, { maxFeePerGas, maxPriorityFeePerGas }, balance] = await Promise.all([
    // Without a gas price the node doesn't check the sender's balance, so an empty wallet gets an estimate too.
    askNumber(networkId, 'eth_estimateGas', [{ from, to: call.to, data: call.data, value: numberToHex(call.value) }]),
    askFees(networkId),
    askBalance(networkId, from),
  ])
  const gas = estimate + estimate / 10n
  return { gas, maxFeePerGas, maxPriorityFeePerGas, needed: gas * maxFeePerGas + call.value, balance }
}

/** Signs the mint in the page and broadcasts it. Returns the transaction's hash. */
export const sendMint = (entry: VoucherEntry, key: Hex, quote: MintQuote): Promise<Hex> =>
  sendFromPage(entry.network_id, key, mintCallOf(entry), quote)
