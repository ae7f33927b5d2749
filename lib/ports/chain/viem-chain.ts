import {
  BaseError,
  createClient,
  getAddress,
  hexToBigInt,
  hexToNumber,
  http,
  numberToHex,
  type Address,
  type Client,
  type Hex,
  type RpcBlock,
  type RpcLog,
  type RpcTransactionReceipt,
} from 'viem'
import {
  CallReverted,
  CallUndecided,
  ChainUnavailable,
  type Block,
  type Call,
  type Chain,
  type Fees,
  type Network,
  type RawLog,
} from './chain.ts'
import { revertReason } from '../../core/contracts/revert-reason.ts'
import { GWEI } from '../../core/gas.ts'
import { broadcastOf, isRateLimit, isRevert, NodeRefusal, revertDataOf } from './refusals.ts'

const RPC_TIMEOUT_MS = 10_000
/** How many recent blocks the suggested tip is taken from. */
const FEE_BLOCKS = 5

/** The adapter over JSON-RPC with viem. When a node fails, the next one is tried, in the order of `rpcUrls`. */
export function viemChain(network: Network, rpcUrls: readonly string[]): Chain {
  const nodes = rpcUrls.map((url) =>
    createClient({ transport: http(url, { retryCount: 0, timeout: RPC_TIMEOUT_MS, batch: { batchSize: 50 } }) }),
  )

  /** The first node's result. Throws NodeRefusal when every node that answers refuses, or one says that the call reverts. */
  async function request<T>(method: string, params: unknown[] = []): Promise<T> {
    let refusal: NodeRefusal | undefined
    let failure: unknown
    for (const node of nodes) {
      try {
        return await askNode<T>(node, method, params)
      } catch (error) {
        if (error instanceof NodeRefusal && !isRateLimit(error)) refusal ??= error
        else failure = error
        if (refusal && isRevert(refusal)) break
      }
    }
    if (refusal) throw refusal
    throw new ChainUnavailable(`No node of ${network.name} answers.`, { cause: failure })
  }

  /** For requests that a healthy node never refuses: a refusal counts as ChainUnavailable. */
  async function read<T>(method: string, params: unknown[] = []): Promise<T> {
    try {
      return await request<T>(method, params)
    } catch (error) {
      if (error instanceof NodeRefusal)
        throw new ChainUnavailable(`${network.name} answers ${method} with "${error.message}".`, { cause: error })
      throw error
    }
  }

  const blockAt = async (at: Hex | 'latest' | 'finalized'): Promise<Block | null> => {
    const block = await read<RpcBlock | null>('eth_getBlockByNumber', [at, false])
    return block && blockOf(block)
  }

  async function head(): Promise<Block> {
    const block = await blockAt('latest')
    if (!block) throw new ChainUnavailable(`${network.name} has no block yet.`)
    return block
  }

  async function finalized(): Promise<bigint | null> {
    if (network.finality === 'never') return null
    if (network.finality === 'tag') {
      const block = await blockAt('finalized').catch(() => null)
      if (block) return block.number
    }
    const { number } = await head()
    return number > BigInt(network.reorgWindow) ? number - BigInt(network.reorgWindow) : 0n
  }

  async function logs(filter: { addresses: Address[]; topics: Hex[]; from: bigint; to: bigint }): Promise<RawLog[]> {
    const { addresses, topics, from, to } = filter
    if (addresses.length === 0 || from > to) return []
    try {
      const range = { address: addresses, topics: [topics], fromBlock: numberToHex(from), toBlock: numberToHex(to) }
      return (await request<RpcLog[]>('eth_getLogs', [range])).map(logOf)
    } catch (error) {
      if (!(error instanceof NodeRefusal)) throw error
      if (from === to)
        throw new ChainUnavailable(`${network.name} refuses the logs of block ${from}: ${error.message}`, {
          cause: error,
        })
      const middle = (from + to) / 2n
      return [...(await logs({ ...filter, to: middle })), ...(await logs({ ...filter, from: middle + 1n }))]
    }
  }

  async function fees(): Promise<Fees> {
    type History = { baseFeePerGas: Hex[]; reward?: Hex[][] }
    const history = await read<History>('eth_feeHistory', [numberToHex(FEE_BLOCKS), 'latest', [50]])
    const base = hexToBigInt(history.baseFeePerGas.at(-1) ?? '0x0')
    const tips = (history.reward ?? []).map(([tip]) => hexToBigInt(tip ?? '0x0')).filter((tip) => tip > 0n)
    const maxPriorityFeePerGas =
      median(tips) ?? (await request<Hex>('eth_maxPriorityFeePerGas').then(hexToBigInt, () => GWEI))
    return { maxFeePerGas: base * 2n + maxPriorityFeePerGas, maxPriorityFeePerGas }
  }

  return {
    network,
    head,
    finalized,
    logs,
    fees,
    block: (number) => blockAt(numberToHex(number)),
    code: async (address) => {
      const code = await read<Hex>('eth_getCode', [address, 'latest'])
      return code === '0x' ? null : code
    },
    balance: async (address) => hexToBigInt(await read<Hex>('eth_getBalance', [address, 'latest'])),
    nonce: async (address, at) => {
      const block = typeof at === 'bigint' ? numberToHex(at) : at
      return hexToNumber(await read<Hex>('eth_getTransactionCount', [address, block]))
    },
    async simulate(call) {
      try {
        return { ok: true, gas: hexToBigInt(await request<Hex>('eth_estimateGas', [rpcCall(call)])) }
      } catch (error) {
        const { message, data } = revertOf(error, network)
        return { ok: false, reason: message, data }
      }
    },
    async read(call) {
      try {
        return await request<Hex>('eth_call', [rpcCall(call), 'latest'])
      } catch (error) {
        throw revertOf(error, network)
      }
    },
    async broadcast(raw) {
      const answers = await Promise.allSettled(nodes.map((node) => askNode<Hex>(node, 'eth_sendRawTransaction', [raw])))
      if (answers.some((answer) => answer.status === 'fulfilled')) return { outcome: 'known' }
      const refusals = answers.flatMap((answer) =>
        answer.status === 'rejected' && answer.reason instanceof NodeRefusal ? [answer.reason] : [],
      )
      const answer = broadcastOf(refusals)
      if (answer) return answer
      throw new ChainUnavailable(`No node of ${network.name} answers.`, {
        cause: (answers[0] as PromiseRejectedResult).reason,
      })
    },
    async receipt(hash) {
      const receipt = await read<RpcTransactionReceipt | null>('eth_getTransactionReceipt', [hash])
      return (
        receipt && {
          hash,
          status: receipt.status === '0x1' ? 'success' : 'reverted',
          blockNumber: hexToBigInt(receipt.blockNumber),
          blockHash: receipt.blockHash,
          gasUsed: hexToBigInt(receipt.gasUsed),
          effectiveGasPrice: hexToBigInt(receipt.effectiveGasPrice),
          logs: receipt.logs.map(logOf),
        }
      )
    },
    async forward(method, params) {
      try {
        return { result: await request(method, [...params]) }
      } catch (error) {
        if (!(error instanceof NodeRefusal)) throw error
        return {
          error: { code: error.code, message: error.message, ...(error.data !== undefined && { data: error.data }) },
        }
      }
    },
  }
}

async function askNode<T>(node: Client, method: string, params: unknown[]): Promise<T> {
  try {
    // viem types each method by name; here the method is a parameter and callers state the result's type.
    return await node.request({ method, params } as never)
  } catch (error) {
    throw refusalIn(error) ?? error
  }
}

/** The node's JSON-RPC error inside viem's error; null when the node didn't answer. */
function refusalIn(error: unknown): NodeRefusal | null {
  const found =
    error instanceof BaseError ? error.walk((cause) => (cause as { name?: string }).name === 'RpcRequestError') : null
  if (!found) return null
  const { code, data, details } = found as unknown as { code: number; data?: unknown; details: string }
  return new NodeRefusal(code, details, data)
}

/** The revert behind a failed call. Any other failure is thrown: as CallUndecided when nodes refused the call. */
function revertOf(error: unknown, network: Network): CallReverted {
  if (!(error instanceof NodeRefusal)) throw error
  if (!isRevert(error))
    throw new CallUndecided(`${network.name} can't run the call: ${error.message}`, { cause: error })
  const data = revertDataOf(error)
  const outOfGas = data === null && /gas|oog/i.test(error.message)
  return new CallReverted(outOfGas ? 'The call needs more gas than a block has.' : revertReason(data), data)
}

const rpcCall = ({ from, to, data, value, gas }: Call) => ({
  to,
  data,
  ...(from && { from }),
  ...(value !== undefined && { value: numberToHex(value) }),
  ...(gas !== undefined && { gas: numberToHex(gas) }),
})

const blockOf = (block: RpcBlock): Block => ({
  number: hexToBigInt(block.number!),
  hash: block.hash!,
  parentHash: block.parentHash,
  timestamp: new Date(hexToNumber(block.timestamp) * 1000),
})

const logOf = (log: RpcLog): RawLog => ({
  address: getAddress(log.address),
  topics: [...log.topics],
  data: log.data,
  blockNumber: hexToBigInt(log.blockNumber!),
  blockHash: log.blockHash!,
  txHash: log.transactionHash!,
  logIndex: hexToNumber(log.logIndex!),
})

function median(values: bigint[]): bigint | undefined {
  const sorted = [...values].sort((a, b) => (a < b ? -1 : 1))
  return sorted[Math.floor(sorted.length / 2)]
}
