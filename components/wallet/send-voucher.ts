import { encodeFunctionData, erc20Abi, getAddress, isHex, numberToHex, zeroAddress } from 'viem'
import type { Address, Hex } from 'viem'
import type { Config, Connector } from 'wagmi'
import { sendTransaction } from 'wagmi/actions'
import type { NetworkFacts } from '../shared/network'
import { relay } from '../shared/relay'
import { toNetwork } from './to-network'
import { mintCallOf } from './voucher'
import type { VoucherEntry } from './voucher'

/** The step that the wallet is asked to take, or that the page waits for. */
export type SendingStage = 'allow' | 'allowing' | 'send'

/**
 * Redeems a voucher from a wallet of the browser and returns the transaction's hash. The wallet is asked to switch to
 * the network, or to add it; where the price is in a token, it first approves exactly that amount.
 */
export async function sendVoucher(
  config: Config,
  { connector, address }: { connector: Connector; address: Address },
  entry: VoucherEntry,
  onStage: (stage: SendingStage) => void = () => {},
): Promise<Hex> {
  await toNetwork(config, connector, entry.network_id)
  await allow(config, { connector, address }, entry, onStage)
  onStage('send')
  // People change networks while they wait for the permission.
  await toNetwork(config, connector, entry.network_id)
  return sendTransaction(config, { ...mintCallOf(entry), chainId: entry.network_id, connector })
}

async function allow(
  config: Config,
  { connector, address }: { connector: Connector; address: Address },
  entry: VoucherEntry,
  onStage: (stage: SendingStage) => void,
): Promise<void> {
  const token = getAddress(entry.voucher.currency)
  const total = BigInt(entry.voucher.price) * BigInt(entry.voucher.quantity)
  if (token === zeroAddress || total === 0n) return
  const spender = getAddress(entry.contract)
  const ask = (data: Hex) => askToken(connector, { to: token, data })
  const [balance, allowance] = await Promise.all([
    ask(encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [address] })),
    ask(encodeFunctionData({ abi: erc20Abi, functionName: 'allowance', args: [address, spender] })),
  ])
  if (balance < total) throw new InsufficientTokens()
  if (allowance >= total) return
  onStage('allow')
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, total] })
  const hash = await sendTransaction(config, { to: token, data, chainId: entry.network_id, connector })
  onStage('allowing')
  await waitUntilMined(entry.network_id, hash)
}

/** The wallet has too little of the token that the price is in. */
class InsufficientTokens extends Error {}

/** The approval transaction was reverted. */
class ApprovalReverted extends Error {}

/** Reads a number from a token's contract through the wallet's own node. */
async function askToken(connector: Connector, call: { to: Address; data: Hex }): Promise<bigint> {
  const provider = (await connector.getProvider()) as {
    request(question: { method: string; params: unknown[] }): Promise<unknown>
  }
  const answer = await provider.request({ method: 'eth_call', params: [call, 'latest'] })
  return isHex(answer) && answer !== '0x' ? BigInt(answer) : 0n
}

const POLL_MS = 1_000

async function waitUntilMined(networkId: number, hash: Hex): Promise<void> {
  for (;;) {
    const receipt = await relay(networkId, 'eth_getTransactionReceipt', [hash]).catch(() => null)
    if (typeof receipt === 'object' && receipt !== null && 'status' in receipt) {
      if (receipt.status === numberToHex(1)) return
      throw new ApprovalReverted()
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

/** Why a wallet sent nothing, as a key of `wallet.sending` with what its text names. */
type WalletRefusal = {
  key: 'noTokens' | 'notAllowed' | 'closed' | 'otherNetwork' | 'unknown'
  currency: string
  network: string
}

/** The meaning of a failure of `sendVoucher` to a person. */
export function walletRefusal(
  failure: unknown,
  network: NetworkFacts,
  currency = network.currency.symbol,
): WalletRefusal {
  const refusal = (key: WalletRefusal['key'], lacking = currency) => ({ key, currency: lacking, network: network.name })
  if (failure instanceof InsufficientTokens) return refusal('noTokens')
  if (failure instanceof ApprovalReverted) return refusal('notAllowed')
  for (
    let cause: unknown = failure;
    typeof cause === 'object' && cause !== null;
    cause = 'cause' in cause ? cause.cause : null
  ) {
    if ('code' in cause && cause.code === 4001) return refusal('closed')
    if ('name' in cause && cause.name === 'InsufficientFundsError') return refusal('noTokens', network.currency.symbol)
    if ('name' in cause && (cause.name === 'SwitchChainError' || cause.name === 'ConnectorChainMismatchError'))
      return refusal('otherNetwork')
  }
  return refusal('unknown')
}
