import { createWalletClient, http, type Address, type Hex, type LocalAccount, type TransactionReceipt } from 'viem'
import { foundry } from 'viem/chains'
import { encodeMintWithVoucher } from '../../lib/core/contracts/vouchers.ts'
import type { TestChain } from './chain.ts'
import { receiptOf } from './receipt-of.ts'
import { termsOf } from './voucher-terms.ts'

/** The call that redeems a voucher, from its wire form, which tests read untyped. */
export function callOfVoucher(entry: any): {
  to: Address
  data: Hex
  value: bigint
} {
  const terms = termsOf(entry)
  return {
    to: entry.contract,
    data: encodeMintWithVoucher(terms, entry.signature as Hex),
    value: terms.price * terms.quantity,
  }
}

/** Sends a voucher as a wallet does, and waits for its block. */
export async function sendVoucher(
  { rpcUrl, client }: Pick<TestChain, 'rpcUrl' | 'client'>,
  account: LocalAccount,
  entry: unknown,
): Promise<TransactionReceipt> {
  const wallet = createWalletClient({ account, chain: foundry, transport: http(rpcUrl) })
  const hash = await wallet.sendTransaction({ ...callOfVoucher(entry), gas: 400_000n })
  return receiptOf(client, hash)
}
