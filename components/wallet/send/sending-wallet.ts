import { encodeFunctionData, erc721Abi, getAddress, numberToHex } from 'viem'
import type { Address, Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Config, Connector } from 'wagmi'
import { sendTransaction, signTypedData } from 'wagmi/actions'
import { encodeTransfer1155 } from '@/lib/core/contracts/calls'
import { encodeTransferWithSignature, type SignedTransfer } from '@/lib/core/contracts/signed-transfers'
import { RelayRefusal } from '../../shared/relay'
import type { WalletItemInFull } from '../items'
import { askBalance, askFees, askNumber, type Fees, sendFromPage } from '../own-transaction'
import { toNetwork } from '../to-network'
import { typedDataOf } from './transfers'

/** A wallet that can send an item. Its functions throw the errors that `useSendText` explains. */
export type SendingWallet = {
  kind: 'own' | 'connected'
  /** Gas that its own transaction takes, about. */
  usualGas: bigint
  /** Signs a transfer that somebody else sends and pays. */
  sign: (order: SignedTransfer) => Promise<Hex>
  /** Sends it by a transaction of its own. Returns the transaction's hash. */
  pay: (order: SignedTransfer, fee: Fee) => Promise<Hex>
}

/** In wei: what a transaction will cost about, what the network wants to see for it, and what there is. */
export type Fee = Fees & { about: bigint; needed: bigint; balance: bigint }

/** The present price of a transaction with this much gas, and the balance of the address. In wei. */
export async function quoteFee(networkId: number, from: Address, gas: bigint): Promise<Fee> {
  const [{ baseFee, ...fees }, balance] = await Promise.all([askFees(networkId), askBalance(networkId, from)])
  const { maxFeePerGas, maxPriorityFeePerGas } = fees
  return { ...fees, about: gas * (baseFee + maxPriorityFeePerGas), needed: gas * maxFeePerGas, balance }
}

/** The network says beforehand that the transaction would revert. */
export class WouldRevert extends Error {}

/** The balance doesn’t cover the fee. */
export class TooFewCoins extends Error {
  readonly missing: bigint
  constructor(missing: bigint) {
    super('The balance doesn’t cover the fee.')
    this.missing = missing
  }
}

/**
 * A wallet whose key is in the page. The relay sends nothing but voucher mints and signed transfers, so this one signs
 * a transfer and sends it by itself: its key signs twice.
 */
export function walletInPage(key: Hex, item: WalletItemInFull): SendingWallet {
  const account = privateKeyToAccount(key)
  const sign = (order: SignedTransfer) => account.signTypedData(typedDataOf(item, order))
  return {
    kind: 'own',
    usualGas: 110_000n,
    sign,
    pay: async (order, fee) => {
      const { network_id: networkId, token_type: tokenType } = item
      const data = encodeTransferWithSignature(tokenType, order, await sign(order))
      const call = { to: getAddress(item.collection.contract), data, value: 0n }
      const estimate = await askNumber(networkId, 'eth_estimateGas', [
        { from: account.address, to: call.to, data, value: numberToHex(0) },
      ]).catch((failure: unknown) => {
        throw failure instanceof RelayRefusal ? new WouldRevert() : failure
      })
      const gas = estimate + estimate / 10n
      const missing = gas * fee.maxFeePerGas - fee.balance
      if (missing > 0n) throw new TooFewCoins(missing)
      return sendFromPage(networkId, key, call, { ...fee, gas })
    },
  }
}

/** A wallet of the browser. It pays for a plain transfer, which every contract takes. */
export const walletOfBrowser = (
  config: Config,
  { connector, address }: { connector: Connector; address: Address },
  item: WalletItemInFull,
): SendingWallet => ({
  kind: 'connected',
  usualGas: 80_000n,
  sign: async (order) => {
    await toNetwork(config, connector, item.network_id)
    return signTypedData(config, { account: address, connector, ...typedDataOf(item, order) })
  },
  pay: async (order) => {
    await toNetwork(config, connector, item.network_id)
    const call = { to: getAddress(item.collection.contract), data: plainTransferOf(item, order) }
    await assertTaken(connector, { from: address, ...call })
    return sendTransaction(config, { ...call, chainId: item.network_id, connector })
  },
})

const plainTransferOf = ({ token_type }: WalletItemInFull, { from, to, tokenId, quantity }: SignedTransfer): Hex =>
  token_type === 'ERC1155'
    ? encodeTransfer1155(from, to, tokenId, quantity)
    : encodeFunctionData({ abi: erc721Abi, functionName: 'safeTransferFrom', args: [from, to, tokenId] })

/** Asks the wallet's own node. Wallets themselves often let people send what reverts. */
async function assertTaken(connector: Connector, call: { from: Address; to: Address; data: Hex }): Promise<void> {
  const provider = (await connector.getProvider()) as {
    request(question: { method: string; params: unknown[] }): Promise<unknown>
  }
  await provider.request({ method: 'eth_call', params: [call, 'latest'] }).catch(() => {
    throw new WouldRevert()
  })
}
