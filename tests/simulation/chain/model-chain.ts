import {
  getAddress,
  hexToBytes,
  keccak256,
  parseTransaction,
  recoverTransactionAddress,
  toHex,
  type Address,
  type Hex,
  type TransactionSerialized,
} from 'viem'
import type { Random } from '../random.ts'
import {
  FACTORY,
  IMPLEMENTATION_1155,
  IMPLEMENTATION_721,
  run,
  type CallOf,
  type ModelLog,
  type Outcome,
  type State,
} from './model-contract.ts'

/** A transaction that somebody signed. */
export type Sent = CallOf & {
  hash: Hex
  raw: Hex
  nonce: number
  maxFee: bigint
  tip: bigint
  /** The block in whose view it reached the pool. */
  since: bigint
}
export type Mined = Sent & { status: 'success' | 'reverted'; logs: (ModelLog & { index: number })[] }
export type ModelBlock = {
  number: bigint
  hash: Hex
  parent: ModelBlock | null
  /** Unix seconds. */
  time: bigint
  baseFee: bigint
  bloom: Hex
  mined: Mined[]
  state: State
}

const GWEI = 1_000_000_000n
const EMPTY_BLOOM: Hex = `0x${'00'.repeat(256)}`
const MOST_IN_BLOCK = 12

/** How the model chain behaves in one world. */
export type Habits = {
  /** How far the final block is behind the head. */
  finalDepth: bigint
  /** How likely a transaction waits for a later block, or reverts for want of gas. */
  delay: number
  outOfGas: number
}

export type ModelChain = ReturnType<typeof makeModelChain>

/** A chain without nodes: blocks, their fork choice, the pool of what waits, and what is final. */
export function makeModelChain(id: number, random: Random, habits: Habits, startSeconds: bigint) {
  const genesis: ModelBlock = {
    number: 0n,
    hash: keccak256(toHex(`genesis ${id} ${random.next()}`)),
    parent: null,
    time: startSeconds,
    baseFee: 10n * GWEI,
    bloom: EMPTY_BLOOM,
    mined: [],
    state: { nonces: {}, contracts: {} },
  }
  const blocks = new Map<Hex, ModelBlock>([[genesis.hash, genesis]])
  const known = new Map<Hex, Sent>()
  let pool: Sent[] = []
  let head = genesis
  let finalTo = 0n
  let made = 0

  function ancestor(of: ModelBlock, number: bigint): ModelBlock | null {
    if (number > of.number || number < 0n) return null
    let block = of
    while (block.number > number) block = block.parent!
    return block
  }

  /** The transactions of the pool that a block after `parent` may have, best paid first. */
  function choose(parent: ModelBlock, baseFee: bigint): Sent[] {
    const nonces = { ...parent.state.nonces }
    const chosen: Sent[] = []
    const left = pool
      .filter(({ maxFee }) => maxFee >= baseFee)
      .sort((a, b) => a.nonce - b.nonce || Number(b.maxFee - a.maxFee) || (a.hash < b.hash ? -1 : 1))
    for (const sent of left) {
      if (chosen.length === MOST_IN_BLOCK) break
      if (sent.nonce !== (nonces[sent.from] ?? 0) || random.chance(habits.delay)) continue
      nonces[sent.from] = sent.nonce + 1
      chosen.push(sent)
    }
    return chosen
  }

  async function build(parent: ModelBlock, time: bigint, isCalm: boolean): Promise<ModelBlock> {
    const baseFee = isCalm ? 10n * GWEI : BigInt(5 + random.below(40)) * GWEI
    let state = parent.state
    const mined: Mined[] = []
    let index = 0
    for (const sent of choose(parent, baseFee)) {
      const outcome: Outcome =
        !isCalm && random.chance(habits.outOfGas) ? { ok: false, data: '0x' } : await run(state, id, sent, time)
      state = {
        nonces: { ...state.nonces, [sent.from]: sent.nonce + 1 },
        contracts: outcome.ok ? { ...state.contracts, ...outcome.contracts } : state.contracts,
      }
      const logs = outcome.ok ? outcome.logs.map((log) => ({ ...log, index: index++ })) : []
      mined.push({ ...sent, status: outcome.ok ? 'success' : 'reverted', logs })
    }
    const hash = keccak256(toHex(`${parent.hash} ${++made} ${time} ${mined.map(({ hash }) => hash).join()}`))
    const logs = mined.flatMap(({ logs }) => logs)
    const block = { number: parent.number + 1n, hash, parent, time, baseFee, bloom: bloomOf(logs), mined, state }
    blocks.set(hash, block)
    return block
  }

  /** Takes a branch for the chain: what the old one had and the new one hasn't waits again. */
  function adopt(branch: ModelBlock, common: ModelBlock): void {
    for (let block = head; block !== common; block = block.parent!)
      for (const { hash } of block.mined) if (!pool.some((sent) => sent.hash === hash)) pool.push(known.get(hash)!)
    head = branch
    pool = pool.filter(({ from, nonce }) => nonce >= (head.state.nonces[from] ?? 0))
  }

  return {
    id,
    genesis,
    ancestor,
    head: () => head,
    finalTo: () => finalTo,
    blockOf: (hash: Hex) => blocks.get(hash) ?? null,
    pool: (): readonly Sent[] => pool,
    isOnChain: (block: ModelBlock, seenFrom = head) => ancestor(seenFrom, block.number) === block,

    /** Mines a block on the head. */
    async mine(time: bigint, { isCalm = false } = {}): Promise<void> {
      adopt(await build(head, time > head.time ? time : head.time + 1n, isCalm), head)
      if (head.number - habits.finalDepth > finalTo) finalTo = head.number - habits.finalDepth
    },

    /** Replaces the last blocks by one more of others, but nothing that is final. Gives how many were replaced. */
    async reorganize(depth: number): Promise<number> {
      const most = Number(head.number - finalTo)
      const replaced = Math.min(depth, most)
      if (replaced < 1) return 0
      const common = ancestor(head, head.number - BigInt(replaced))!
      const times = Array.from({ length: replaced }, (_, at) => ancestor(head, common.number + BigInt(at) + 1n)!.time)
      const before = pool
      // What was on the old branch may come in other blocks of the new one, in another order, or later.
      for (let block = head; block !== common; block = block.parent!)
        for (const { hash } of block.mined)
          if (!pool.some((sent) => sent.hash === hash)) pool = [...pool, known.get(hash)!]
      let branch = common
      for (const time of times) {
        const next = await build(branch, time, false)
        pool = pool.filter(({ from, nonce }) => nonce >= (next.state.nonces[from] ?? 0))
        branch = next
      }
      pool = [...new Set([...before, ...pool])]
      adopt(await build(branch, times.at(-1)! + 1n, false), common)
      return replaced
    },

    /** Puts a transaction into the pool. Gives why not, as a node would say it. */
    async send(raw: Hex, seenFrom: ModelBlock): Promise<{ hash: Hex } | { refusal: string }> {
      const hash = keccak256(raw)
      if (pool.some((sent) => sent.hash === hash)) return { refusal: 'already known' }
      const sent = known.get(hash) ?? { ...(await parse(raw)), hash, raw, since: head.number }
      known.set(hash, sent)
      if (sent.nonce < (seenFrom.state.nonces[sent.from] ?? 0)) return { refusal: 'nonce too low' }
      if (sent.nonce < (head.state.nonces[sent.from] ?? 0)) return { hash }
      const rival = pool.find(({ from, nonce }) => from === sent.from && nonce === sent.nonce)
      if (rival && (sent.maxFee * 10n < rival.maxFee * 11n || sent.tip * 10n < rival.tip * 11n))
        return { refusal: 'replacement transaction underpriced' }
      pool = [...pool.filter((other) => other !== rival), sent]
      return { hash }
    },

    /** Pools forget. */
    forget(chance: number): number {
      const before = pool.length
      pool = pool.filter(() => !random.chance(chance))
      return before - pool.length
    },

    /** The mined transaction of a hash, seen from a block. */
    find(hash: Hex, seenFrom: ModelBlock): { block: ModelBlock; mined: Mined } | null {
      for (let block: ModelBlock | null = seenFrom; block; block = block.parent) {
        const mined = block.mined.find((one) => one.hash === hash)
        if (mined) return { block, mined }
      }
      return null
    },

    call: (block: ModelBlock, call: CallOf) => run(block.state, id, call, block.time),
    codeAt: (block: ModelBlock, address: Address): Hex =>
      [FACTORY, IMPLEMENTATION_721, IMPLEMENTATION_1155].includes(address)
        ? '0x00'
        : (block.state.contracts[address]?.code ?? '0x'),
    nonceAt: (block: ModelBlock, address: Address): number => block.state.nonces[address] ?? 0,
    /** The next nonce with what waits in the pool. */
    pendingNonce(address: Address): number {
      let nonce = head.state.nonces[address] ?? 0
      while (pool.some((sent) => sent.from === address && sent.nonce === nonce)) nonce++
      return nonce
    },
  }
}

async function parse(raw: Hex) {
  const { to, data, value, nonce, maxFeePerGas, maxPriorityFeePerGas } = parseTransaction(raw)
  const from = getAddress(await recoverTransactionAddress({ serializedTransaction: raw as TransactionSerialized }))
  return {
    from,
    to: getAddress(to!),
    data: data ?? '0x',
    value: value ?? 0n,
    nonce: nonce ?? 0,
    maxFee: maxFeePerGas ?? 0n,
    tip: maxPriorityFeePerGas ?? 0n,
  } as const
}

/** The logs bloom of a block (Yellow Paper, section 4.3.1). */
function bloomOf(logs: readonly ModelLog[]): Hex {
  if (logs.length === 0) return EMPTY_BLOOM
  const bloom = new Uint8Array(256)
  for (const value of new Set(logs.flatMap(({ address, topics }) => [address.toLowerCase() as Hex, ...topics]))) {
    const digest = hexToBytes(keccak256(value))
    for (const at of [0, 2, 4]) {
      const bit = ((digest[at]! << 8) | digest[at + 1]!) & 2047
      bloom[255 - (bit >> 3)]! |= 1 << (bit & 7)
    }
  }
  return toHex(bloom)
}
