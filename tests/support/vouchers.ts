import { createWalletClient, http, type Address, type Hex, type LocalAccount, type TransactionReceipt } from 'viem'
import { foundry } from 'viem/chains'
import { encodeMintWithVoucher } from '../../lib/core/contracts/vouchers.ts'
import type { TestChain } from './chain.ts'
import { receiptOf } from './receipt-of.ts'

/** The call that redeems a voucher, from its wire form, which tests read untyped. */
export function callOfVoucher({ voucher, signature, contract, minter }: any): {
  to: Address
  data: Hex
  value: bigint
} {
  const terms = {
    minter,
    netRecipient: voucher.net_recipient,
    initialRecipient: voucher.initial_recipient,
    initialRecipientAmount: BigInt(voucher.initial_recipient_amount),
    quantity: BigInt(voucher.quantity),
    nonce: BigInt(voucher.nonce),
    expiry: BigInt(voucher.expiry),
    price: BigInt(voucher.price),
    tokenId: BigInt(voucher.token_id),
    currency: voucher.currency,
  }
  return {
    to: contract,
    data: encodeMintWithVoucher(terms, signature as Hex),
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
