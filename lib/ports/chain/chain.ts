import type { Address, Hex } from 'viem'

/** A chain we can be on, from configuration (lib/chain/networks.ts). */
export type Network = {
  id: number
  name: string
  testnet: boolean
  /** Blocks after which we call a transaction done. */
  confirmations: number
  /** Blocks a reorg may still undo; a deeper one is an alarm. */
  reorgWindow: number
  /** The chain says itself what is final (`finalized`); else depth counts. The local chain is never final, confirmations count. */
  finality: 'tag' | 'depth' | 'never'
  /** Address and transaction pages for people, null where there are none. */
  explorerUrl: string | null
  currency: { name: string; symbol: string; decimals: number }
  contracts: { factory: Address; implementation721: Address; implementation1155: Address } | null
}

export type Block = { number: bigint; hash: Hex; parentHash: Hex; timestamp: Date }
export type RawLog = {
  address: Address
  topics: Hex[]
  data: Hex
  blockNumber: bigint
  blockHash: Hex
  txHash: Hex
  logIndex: number
}
export type Call = { from?: Address; to: Address; data: Hex; value?: bigint; gas?: bigint }
/** Wei per gas. */
export type Fees = { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }
export type UnsignedTransaction = Call & Fees & { nonce: number; gas: bigint }
export type Receipt = {
  hash: Hex
  status: 'success' | 'reverted'
  blockNumber: bigint
  blockHash: Hex
  gasUsed: bigint
  effectiveGasPrice: bigint
  logs: RawLog[]
}
/** A call that would revert is an answer, not an error: errors mean that the node couldn't say. */
export type Simulation = { ok: true; gas: bigint } | { ok: false; reason: string; data: Hex | null }

/** A node's own words. */
export type RpcResponse = { result: unknown } | { error: { code: number; message: string; data?: unknown } }

/** What we need from a blockchain, in our words. Every method throws ChainUnavailable when no node of the network answers. */
export type Chain = {
  readonly network: Network
  head(): Promise<Block>
  /** null: no such block (yet). */
  block(number: bigint): Promise<Block | null>
  /** The last block that can't be undone any more, by the network's own rule. */
  finalized(): Promise<bigint | null>
  /** Logs of these addresses (at most 500 a call) with one of these first topics; the range is halved when a node refuses it. */
  logs(filter: { addresses: Address[]; topics: Hex[]; from: bigint; to: bigint }): Promise<RawLog[]>
  code(address: Address): Promise<Hex | null>
  balance(address: Address): Promise<bigint>
  /** How many transactions of the address are mined (`latest`, or up to a block), or mined and waiting (`pending`). */
  nonce(address: Address, at: 'latest' | 'pending' | bigint): Promise<number>
  fees(): Promise<Fees>
  simulate(call: Call): Promise<Simulation>
  /** What a call answers now. Throws CallReverted when it reverts. */
  read(call: Call): Promise<Hex>
  /** Safe to repeat. 'known': the network has it (already). 'nonce_used': that nonce is taken. 'refused': no node will take these bytes. */
  broadcast(
    raw: Hex,
  ): Promise<{ outcome: 'known' } | { outcome: 'nonce_used' | 'refused' | 'underpriced' | 'no_funds'; detail: string }>
  receipt(hash: Hex): Promise<Receipt | null>
  /** Hands a JSON-RPC call over as it is. What the node says comes back, an error of its own included. */
  forward(method: string, params: readonly unknown[]): Promise<RpcResponse>
}

export class ChainUnavailable extends Error {
  override readonly name = 'ChainUnavailable'
}

export class CallReverted extends Error {
  override readonly name = 'CallReverted'
  readonly data: Hex | null

  constructor(reason: string, data: Hex | null) {
    super(reason)
    this.data = data
  }
}
