import {
  getAddress,
  hexToBigInt,
  hexToNumber,
  isAddressEqual,
  numberToHex,
  type Address,
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
  type ChainReads,
  type Fees,
  type LogFilter,
  type Network,
  type RawLog,
} from './chain.ts'
import { revertReason } from '../../core/contracts/revert-reason.ts'
import { GWEI } from '../../core/gas.ts'
import { type RangeSize, readInRanges } from './log-ranges.ts'
import { isRevert, NodeRefusal, revertDataOf } from './refusals.ts'

/** How many recent blocks the suggested tip is taken from. */
const FEE_BLOCKS = 5
/** Nodes keep the states of at least this many blocks below the head; older ones may be pruned. */
const KEPT_STATES = 120n

/** Asks one or several nodes. Throws NodeRefusal when they refuse, ChainUnavailable when none answers. */
type Ask = (method: string, params: readonly unknown[]) => Promise<unknown>

/** Everything that is read from a network, by way of `ask`. */
export function chainReads(network: Network, ask: Ask, rangeSize: RangeSize): ChainReads {
  // Callers state the result's type: it follows from the method.
  const request = <T>(method: string, params: readonly unknown[] = []) => ask(method, params) as Promise<T>

  /** For requests that a healthy node never refuses: a refusal counts as ChainUnavailable. */
  async function read<T>(method: string, params: readonly unknown[] = []): Promise<T> {
    try {
      return await request<T>(method, params)
    } catch (error) {
      throw error instanceof NodeRefusal ? unavailable(network, method, error) : error
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
    if (network.finality === 'tag') return (await blockAt('finalized'))?.number ?? 0n
    const { number } = await head()
    return number > BigInt(network.reorgWindow) ? number - BigInt(network.reorgWindow) : 0n
  }

  async function logs({ from, to, ...filter }: LogFilter & { from: bigint; to: bigint }): Promise<RawLog[]> {
    if (filter.addresses.length === 0) return []
    try {
      return await readInRanges(rangeSize, from, to, async (first, last) => {
        const range = { fromBlock: numberToHex(first), toBlock: numberToHex(last) }
        const found = await matching(filter, range)
        return found.filter(({ blockNumber }) => blockNumber >= first && blockNumber <= last)
      })
    } catch (error) {
      throw error instanceof NodeRefusal ? unavailable(network, 'eth_getLogs', error) : error
    }
  }

  /** The logs that match, once each and in chain order, whatever the node returns. */
  async function matching({ addresses, topics }: LogFilter, where: object): Promise<RawLog[]> {
    const found = await request<RpcLog[]>('eth_getLogs', [{ address: addresses, topics: [topics], ...where }])
    const wanted = new Set(addresses.map((address) => address.toLowerCase()))
    const matches = found.filter(({ address, removed }) => !removed && wanted.has(address.toLowerCase())).map(logOf)
    const once = new Map(matches.map((log) => [`${log.blockHash} ${log.logIndex}`, log]))
    return [...once.values()].sort((a, b) => Number(a.blockNumber - b.blockNumber) || a.logIndex - b.logIndex)
  }

  async function nonce(address: Address, at: 'latest' | 'pending' | bigint): Promise<number> {
    if (typeof at !== 'bigint') return hexToNumber(await read<Hex>('eth_getTransactionCount', [address, at]))
    try {
      return hexToNumber(await request<Hex>('eth_getTransactionCount', [address, numberToHex(at)]))
    } catch (error) {
      if (!(error instanceof NodeRefusal)) throw error
      const oldest = (await head()).number - KEPT_STATES
      if (oldest <= at) throw unavailable(network, 'eth_getTransactionCount', error)
      return hexToNumber(await read<Hex>('eth_getTransactionCount', [address, numberToHex(oldest)]))
    }
  }

  /**
   * The block in which an account used a nonce; null where there is none. Downwards by growing steps, since old states
   * may be pruned.
   */
  async function blockOfNonce(address: Address, nonce: number): Promise<bigint | null> {
    const isUsedAt = async (block: bigint): Promise<boolean> =>
      hexToNumber(await request<Hex>('eth_getTransactionCount', [address, numberToHex(block)])) > nonce
    let used = (await head()).number
    if (!(await isUsedAt(used))) return null
    let unused = -1n
    for (let step = 1n; unused < 0n && used > 0n; step *= 2n) {
      const at = used > step ? used - step : 0n
      if (await isUsedAt(at)) used = at
      else unused = at
    }
    while (used - unused > 1n) {
      const middle = (used + unused) / 2n
      if (await isUsedAt(middle)) used = middle
      else unused = middle
    }
    return used
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
    head,
    finalized,
    logs,
    nonce,
    fees,
    block: (number) => blockAt(numberToHex(number)),
    blockLogs: async ({ blockHash, ...filter }) => {
      try {
        return (await matching(filter, { blockHash })).filter((log) => log.blockHash === blockHash)
      } catch (error) {
        throw error instanceof NodeRefusal ? unavailable(network, 'eth_getLogs', error) : error
      }
    },
    code: async (address) => {
      const code = await read<Hex>('eth_getCode', [address, 'latest'])
      return code === '0x' ? null : code
    },
    balance: async (address) => hexToBigInt(await read<Hex>('eth_getBalance', [address, 'latest'])),
    async simulate(call) {
      try {
        return { ok: true, gas: hexToBigInt(await request<Hex>('eth_estimateGas', [rpcCall(call)])) }
      } catch (error) {
        const { message, data } = revertOf(error, network)
        return { ok: false, reason: message, data }
      }
    },
    async read(call, at) {
      try {
        return await request<Hex>('eth_call', [rpcCall(call), at === undefined ? 'latest' : numberToHex(at)])
      } catch (error) {
        throw revertOf(error, network)
      }
    },
    async receipt(hash) {
      const receipt = await read<(RpcTransactionReceipt & { l1Fee?: Hex }) | null>('eth_getTransactionReceipt', [hash])
      return (
        receipt && {
          hash,
          status: receipt.status === '0x1' ? 'success' : 'reverted',
          blockNumber: hexToBigInt(receipt.blockNumber),
          blockHash: receipt.blockHash,
          gasUsed: hexToBigInt(receipt.gasUsed),
          effectiveGasPrice: hexToBigInt(receipt.effectiveGasPrice),
          dataFeeWei: hexToBigInt(receipt.l1Fee ?? '0x0'),
          logs: receipt.logs.map(logOf),
        }
      )
    },
    async transactionOf(address, nonce) {
      try {
        const blockNumber = await blockOfNonce(address, nonce)
        if (blockNumber === null) return null
        const block = await request<RpcBlock<'latest', true> | null>('eth_getBlockByNumber', [
          numberToHex(blockNumber),
          true,
        ])
        const told = block?.transactions.find(
          (one) => isAddressEqual(one.from, address) && hexToNumber(one.nonce) === nonce,
        )
        return told ? { hash: told.hash, blockNumber, told } : null
      } catch (error) {
        if (error instanceof NodeRefusal) return null
        throw error
      }
    },
    async forward(method, params) {
      try {
        return { result: await request(method, params) }
      } catch (error) {
        if (!(error instanceof NodeRefusal)) throw error
        return {
          error: { code: error.code, message: error.message, ...(error.data !== undefined && { data: error.data }) },
        }
      }
    },
  }
}

const unavailable = (network: Network, method: string, refusal: NodeRefusal) =>
  new ChainUnavailable(`${network.name} answers ${method} with "${refusal.message}".`, { cause: refusal })

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
  logsBloom: block.logsBloom ?? null,
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
