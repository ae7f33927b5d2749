import { getAddress, numberToHex, parseTransaction, type Address, type Hex } from 'viem'
import type { Random } from '../random.ts'
import { withOtherTopic } from '../../support/other-topic.ts'
import type { CallOf } from './model-contract.ts'
import type { Mined, ModelBlock, ModelChain } from './model-chain.ts'

export type Request = { id: number; method: string; params: unknown[] }
export type Answer = {
  id: number
  jsonrpc: '2.0'
  result?: unknown
  error?: { code: number; message: string; data?: unknown }
}

/** What a node may say that isn't so. */
export type Lie =
  | 'a log left out'
  | 'no logs'
  | 'an old head'
  | 'a nonce too high'
  | 'a nonce too low'
  | 'another chain'
  | 'a transaction forgotten'
  | 'a receipt left out'
  | 'a receipt of a revert'
  | 'a receipt without logs'
  | 'a receipt with other logs'
  | 'a receipt in another block'
  | 'logs doubled'

class Refused extends Error {
  readonly code: number
  readonly data: Hex | undefined
  constructor(code: number, message: string, data?: Hex) {
    super(message)
    this.code = code
    this.data = data
  }
}

const GAS = 120_000n
const GWEI = 1_000_000_000n
const BALANCE = 10n ** 24n

/**
 * A node of the model chain: answers JSON-RPC by its own view, which may be behind the others or on the branch that
 * they left.
 */
export function makeModelNode(name: string, chain: ModelChain, random: Random) {
  let view: ModelBlock = chain.head()
  /** The final block when it followed the chain last. */
  let finalTo = 0n
  let behind = 0
  let lies = 0
  let tells: (lie: Lie) => boolean = () => true
  const told = new Map<Lie, number>()
  const happens = (lie: Lie): boolean => {
    if (lies === 0 || !tells(lie) || !random.chance(lies)) return false
    told.set(lie, (told.get(lie) ?? 0) + 1)
    return true
  }

  const blockAt = (at: unknown): ModelBlock | null => {
    if (at === 'latest' || at === 'pending') return view
    if (at === 'finalized') return chain.ancestor(view, finalTo < view.number ? finalTo : view.number)
    return chain.ancestor(view, BigInt(at as string))
  }
  const blockOrRefuse = (at: unknown): ModelBlock => {
    const block = blockAt(at)
    if (!block) throw new Refused(-32000, 'header not found')
    return block
  }

  const logsIn = (block: ModelBlock) =>
    block.mined.flatMap((mined) => mined.logs.map((log) => logOf(block, mined, log)))

  function logs([filter]: unknown[]): unknown[] {
    const { address, topics, fromBlock, toBlock, blockHash } = filter as {
      address: Address[]
      topics: [Hex[]]
      fromBlock?: Hex
      toBlock?: Hex
      blockHash?: Hex
    }
    const blocks: ModelBlock[] = []
    if (blockHash) {
      const block = chain.blockOf(blockHash)
      if (!block) throw new Refused(-32000, 'unknown block')
      blocks.push(block)
    } else {
      const last = blockAt(toBlock) ?? view
      for (let block: ModelBlock | null = last; block && block.number >= BigInt(fromBlock!); block = block.parent)
        blocks.unshift(block)
    }
    const found = blocks
      .flatMap(logsIn)
      .filter((log) => address.some((each) => getAddress(each) === log.address) && topics[0].includes(log.topics[0]!))
    if (found.length === 0) return found
    if (happens('no logs')) return []
    if (happens('a log left out')) return found.toSpliced(random.below(found.length), 1)
    return happens('logs doubled') ? found.flatMap((log) => [log, log]) : found
  }

  async function call([request, at]: unknown[]): Promise<Hex> {
    const outcome = await chain.call(blockOrRefuse(at ?? 'latest'), callOf(request))
    if (!outcome.ok) throw new Refused(3, 'execution reverted', outcome.data)
    return outcome.data
  }

  function nonce([address, at]: unknown[]): Hex {
    const account = getAddress(address as Address)
    const count = at === 'pending' ? chain.pendingNonce(account) : chain.nonceAt(blockOrRefuse(at), account)
    if (happens('a nonce too high')) return numberToHex(count + 1 + random.below(3))
    if (happens('a nonce too low')) return numberToHex(Math.max(0, count - 1 - random.below(3)))
    return numberToHex(count)
  }

  async function send([raw]: unknown[]): Promise<Hex> {
    if (happens('a transaction forgotten')) return `0x${'00'.repeat(32)}`
    const answer = await chain.send(raw as Hex, view)
    if ('refusal' in answer) throw new Refused(-32000, answer.refusal)
    return answer.hash
  }

  function receipt([hash]: unknown[]) {
    const found = chain.find(hash as Hex, view)
    if (!found || happens('a receipt left out')) return null
    const { mined } = found
    const block = (happens('a receipt in another block') && blockNear(found.block)) || found.block
    const logs = mined.logs.map((log) => logOf(block, mined, log))
    const isReverted = mined.status !== 'success' || happens('a receipt of a revert')
    return {
      transactionHash: mined.hash,
      status: isReverted ? '0x0' : '0x1',
      blockNumber: numberToHex(block.number),
      blockHash: block.hash,
      gasUsed: numberToHex(GAS),
      effectiveGasPrice: numberToHex(block.baseFee + GWEI),
      logs: isReverted ? [] : toldLogs(logs),
    }
  }

  const blockNear = ({ number }: ModelBlock): ModelBlock | null =>
    chain.ancestor(view, number + BigInt(random.pick([-8, -2, -1, 1, 2])))

  const toldLogs = (logs: ReturnType<typeof logOf>[]) => {
    if (logs.length === 0) return logs
    if (happens('a receipt without logs')) return []
    return happens('a receipt with other logs') ? logs.map(withOtherTopic) : logs
  }

  function block([at]: unknown[]) {
    const isHead = at === 'latest' && happens('an old head')
    const found = isHead ? chain.ancestor(view, view.number - BigInt(1 + random.below(20))) : blockAt(at)
    return found && blockOf(found)
  }

  const methods: Record<string, (params: unknown[]) => unknown> = {
    eth_chainId: () => numberToHex(happens('another chain') ? 5 : chain.id),
    eth_blockNumber: () => numberToHex(view.number),
    eth_getBlockByNumber: block,
    eth_getLogs: logs,
    eth_getCode: ([address, at]) => chain.codeAt(blockOrRefuse(at), getAddress(address as Address)),
    eth_getBalance: () => numberToHex(BALANCE),
    eth_getTransactionCount: nonce,
    eth_feeHistory: () => ({ baseFeePerGas: [numberToHex(view.baseFee)], reward: [[numberToHex(GWEI)]] }),
    eth_maxPriorityFeePerGas: () => numberToHex(GWEI),
    eth_estimateGas: async (params) => (await call([params[0], 'latest']), numberToHex(GAS)),
    eth_call: call,
    eth_getTransactionReceipt: receipt,
    eth_sendRawTransaction: send,
    eth_getTransactionByHash: ([hash]) => transactionOf(chain.find(hash as Hex, view)),
  }

  return {
    name,
    told,
    view: () => view,
    /** Sees the chain as it is now, but for the last `blocks`. Until it follows again it stays on what it sees. */
    follow(blocks = behind): void {
      behind = blocks
      const seen = chain.ancestor(chain.head(), chain.head().number - BigInt(blocks))
      if (seen && (seen.number > view.number || !chain.isOnChain(view))) view = seen
      finalTo = chain.finalTo()
    },
    /** How likely a lie is wherever there is one to tell, and which lies it tells. */
    lie(likelihood: number, which: (lie: Lie) => boolean): void {
      lies = likelihood
      tells = which
    },
    async answer({ id, method, params }: Request): Promise<Answer> {
      const known = methods[method]
      if (!known) throw new Error(`The model node has no ${method}.`)
      try {
        return { id, jsonrpc: '2.0', result: await known(params) }
      } catch (error) {
        if (!(error instanceof Refused)) throw error
        return { id, jsonrpc: '2.0', error: { code: error.code, message: error.message, data: error.data } }
      }
    },
  }
}

const callOf = (request: unknown): CallOf => {
  const { from, to, data, value } = request as { from?: Address; to: Address; data: Hex; value?: Hex }
  return { from: getAddress(from ?? to), to: getAddress(to), data, value: BigInt(value ?? 0) }
}

const blockOf = ({ number, hash, parent, time, bloom }: ModelBlock) => ({
  number: numberToHex(number),
  hash,
  parentHash: parent?.hash ?? `0x${'00'.repeat(32)}`,
  timestamp: numberToHex(time),
  logsBloom: bloom,
})

const logOf = ({ number, hash }: ModelBlock, mined: Mined, log: Mined['logs'][number]) => ({
  address: log.address,
  topics: log.topics,
  data: log.data,
  blockNumber: numberToHex(number),
  blockHash: hash,
  transactionHash: mined.hash,
  logIndex: numberToHex(log.index),
  removed: false,
})

function transactionOf(found: { block: ModelBlock; mined: Mined } | null) {
  if (!found) return null
  const { block, mined } = found
  const { chainId, gas, maxFeePerGas, maxPriorityFeePerGas, r, s, yParity } = parseTransaction(mined.raw)
  return {
    type: '0x2',
    hash: mined.hash,
    chainId: numberToHex(chainId!),
    from: mined.from,
    to: mined.to,
    input: mined.data,
    value: numberToHex(mined.value),
    nonce: numberToHex(mined.nonce),
    gas: numberToHex(gas!),
    maxFeePerGas: numberToHex(maxFeePerGas!),
    maxPriorityFeePerGas: numberToHex(maxPriorityFeePerGas ?? 0n),
    accessList: [],
    r,
    s,
    v: numberToHex(yParity!),
    yParity: numberToHex(yParity!),
    blockNumber: numberToHex(block.number),
    blockHash: block.hash,
    transactionIndex: '0x0',
  }
}
