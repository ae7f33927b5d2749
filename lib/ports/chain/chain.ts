import type { Address, Hex } from 'viem'

/** A blockchain that the settings name (networks.ts). */
export type Network = {
  /** The EIP-155 chain id. */
  id: number
  name: string
  testnet: boolean
  /** Blocks, its own included, after which a transaction counts as done. */
  confirmations: number
  /** How many blocks a reorg may undo; a deeper one raises an alarm. */
  reorgWindow: number
  /**
   * How `finalized` decides: by the node's `finalized` block tag, by depth (reorgWindow), or never (the local chain).
   */
  finality: 'tag' | 'depth' | 'never'
  /** Base URL of a block explorer, without a trailing slash; null where there is none. */
  explorerUrl: string | null
  currency: { name: string; symbol: string; decimals: number }
  contracts: { factory: Address; implementation721: Address; implementation1155: Address } | null
}

/** `logsBloom`: 256 bytes that tell which addresses and topics its logs can't have; null where the node gave none. */
export type Block = { number: bigint; hash: Hex; parentHash: Hex; timestamp: Date; logsBloom: Hex | null }
export type RawLog = {
  address: Address
  topics: Hex[]
  data: Hex
  blockNumber: bigint
  blockHash: Hex
  txHash: Hex
  logIndex: number
}
/** Logs of these addresses whose first topic is one of `topics`. Callers give at most 500 addresses. */
export type LogFilter = { addresses: Address[]; topics: Hex[] }
/** `value` in wei; `gas` is the gas limit. */
export type Call = { from?: Address; to: Address; data: Hex; value?: bigint; gas?: bigint }
/** Wei per gas. */
export type Fees = { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }
export type UnsignedTransaction = Call & Fees & { nonce: number; gas: bigint }
/** `effectiveGasPrice` in wei per gas. `dataFeeWei`: what an OP-stack network took besides gas × price; 0 elsewhere. */
export type Receipt = {
  hash: Hex
  status: 'success' | 'reverted'
  blockNumber: bigint
  blockHash: Hex
  gasUsed: bigint
  effectiveGasPrice: bigint
  dataFeeWei: bigint
  logs: RawLog[]
}
/** The estimated gas, or why the call would revert: a sentence for people and the revert data. */
export type Simulation = { ok: true; gas: bigint } | { ok: false; reason: string; data: Hex | null }

/** A node's JSON-RPC response, unchanged. */
export type RpcResponse = { result: unknown } | { error: { code: number; message: string; data?: unknown } }

/**
 * The outcome of a broadcast; `detail` is the node's message.
 * - `known`: a node accepted the transaction or has it already, pending or mined.
 * - `nonce_used`: another transaction of the account with this nonce is mined.
 * - `underpriced`: its fees are too low, also to replace a pending transaction with this nonce.
 * - `no_funds`: the account's balance doesn't cover gas and value.
 * - `refused`: all nodes that answered say that these bytes can never be mined (too little gas for any such
 * transaction, more gas
 *   than a block has, no valid sender, another chain's id).
 * - `unknown`: refused for any other reason, such as a full pool, a rate limit or an internal error. The bytes may be
 * mined later,
 *   so broadcast them again.
 */
export type Broadcast =
  { outcome: 'known' } | { outcome: 'nonce_used' | 'refused' | 'underpriced' | 'no_funds' | 'unknown'; detail: string }

/** Reads of a network. Every method throws ChainUnavailable when no node answers, or none gives a usable answer. */
export type ChainReads = {
  /** The latest block. */
  head(): Promise<Block>

  /** The block of a number on the chain as it is now; null when there is none yet. */
  block(number: bigint): Promise<Block | null>

  /**
   * The number of the last block that can't be undone by a reorg, by `network.finality`; null on a network that is
   * never final. By tag it is 0 while the node knows of no final block; a node that can't tell is ChainUnavailable,
   * never another depth.
   */
  finalized(): Promise<bigint | null>

  /**
   * The logs in blocks `from` to `to` inclusive, once each and in chain order. A range that a node refuses, or doesn't
   * read in time, is halved; throws ChainUnavailable when that happens to a single block. A rate limit halves nothing.
   */
  logs(filter: LogFilter & { from: bigint; to: bigint }): Promise<RawLog[]>

  /** The logs of one block, by its hash. */
  blockLogs(filter: LogFilter & { blockHash: Hex }): Promise<RawLog[]>

  /** The code at an address in the latest block; null when there is none. */
  code(address: Address): Promise<Hex | null>

  /** An account's balance in the latest block, in wei. */
  balance(address: Address): Promise<bigint>

  /**
   * An account's transaction count, which is the nonce of its next transaction: of mined ones (`latest`, or up to a
   * block number), or of mined and pending ones (`pending`, of the node that answers). Where nodes have pruned the
   * state of that block, the count 120 blocks below the head is taken.
   */
  nonce(address: Address, at: 'latest' | 'pending' | bigint): Promise<number>

  /**
   * Suggested EIP-1559 fees: the median tip of the last blocks, and twice the next base fee plus that tip as maximum.
   */
  fees(): Promise<Fees>

  /**
   * Estimates the gas of a call on the latest block (eth_estimateGas), without any margin. A call that would revert is
   * an answer (`ok: false`), not an error. Throws CallUndecided when nodes refuse to run it.
   */
  simulate(call: Call): Promise<Simulation>

  /**
   * The return data of a call on the latest block, or on the block of a number (eth_call). Throws CallReverted when it
   * reverts, CallUndecided when nodes refuse to run it, which they also do where they have pruned the state of that
   * block.
   */
  read(call: Call, at?: bigint): Promise<Hex>

  /** A mined transaction's receipt on the chain as it is now; null while it is not mined, or was undone by a reorg. */
  receipt(hash: Hex): Promise<Receipt | null>

  /**
   * The mined transaction by which an account used a nonce, as the node tells it; found by the counts of blocks. null
   * where the node has none, or has pruned the states that tell where it is. Nothing of it is believed without its
   * signature (readSentTransaction).
   */
  transactionOf(address: Address, nonce: number): Promise<{ hash: Hex; blockNumber: bigint; told: unknown } | null>

  /** Forwards a JSON-RPC call unchanged and gives the node's response, an error response included. */
  forward(method: string, params: readonly unknown[]): Promise<RpcResponse>
}

/** One node of a network. `name` tells it from the others. */
export type ChainNode = ChainReads & { readonly name: string }

/**
 * A blockchain network. Its nodes are asked in the order of the settings; one that failed, fell behind or belongs to
 * another chain (never used) comes last for a minute. All but `broadcast` and `forward` only read, so repeating them is
 * safe. Amounts are wei, addresses EIP-55.
 */
export type Chain = ChainReads & {
  readonly network: Network

  /**
   * Runs `work` with one node, so that all it reads belongs together. When that node fails, `work` starts again with
   * the next one, so it must only read. `not` names the node that is taken only when there is no other. Throws
   * ChainUnavailable when all fail.
   */
  atOneNode<T>(work: (node: ChainNode) => Promise<T>, options?: { not?: string }): Promise<T>

  /**
   * Runs `work` at every node that works, each by itself, and gives the results: for what no single node may be
   * believed. `work` must only read. One that refuses to run a call gives none. Throws ChainUnavailable when fewer than
   * two nodes answer, or none where the settings name only one.
   */
  atSeveralNodes<T>(work: (node: ChainNode) => Promise<T>): Promise<T[]>

  /** The names of nodes that turned out to belong to another chain: a mistake in the settings. */
  nodesOfOtherChains(): string[]

  /**
   * Sends a signed transaction to all nodes that work. Idempotent: bytes that a node has already are `known`. Throws
   * ChainUnavailable when no node answers; whether one accepted the transaction is unknown then, so send the same bytes
   * again.
   */
  broadcast(raw: Hex): Promise<Broadcast>
}

/** No node of the network answered, or none gave a usable answer. Trying again later may help. */
export class ChainUnavailable extends Error {
  override readonly name = 'ChainUnavailable'
}

/** A call reverted. The message is a sentence for people; `data` is the revert data, null where the node gave none. */
export class CallReverted extends Error {
  override readonly name = 'CallReverted'
  readonly data: Hex | null

  constructor(reason: string, data: Hex | null) {
    super(reason)
    this.data = data
  }
}

/**
 * Nodes that work refuse to run a call, without saying that it reverts: it takes too long, or for a reason that isn't
 * known. This concerns that call only. The message is the node's.
 */
export class CallUndecided extends Error {
  override readonly name = 'CallUndecided'
}
