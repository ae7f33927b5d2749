import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { keccak256, numberToHex, type Hex } from 'viem'
import { atFileEnd } from './file-end.ts'
import { withOtherTopic } from './other-topic.ts'

/** What a node can do wrong. The failures concern a whole HTTP request, the lies one call in it. */
const FAULTS = [
  /** The connection is closed without an answer. Nothing is passed on. */
  'refuse',
  /** No answer ever comes. Nothing is passed on. */
  'time_out',
  /** Half of the answer comes, and never the rest. The calls are passed on. */
  'hang',
  /** The answer ends in the middle. The calls are passed on. */
  'truncate',
  'status_429',
  'status_503',
  /** Every answer of a batch, and every log, comes twice. */
  'duplicate',
  /** A batch is answered in reverse order. */
  'reorder',
  /** One log is missing. */
  'drop_log',
  /** No log comes. */
  'empty_logs',
  /** The latest block is up to 20 blocks old. */
  'old_head',
  'other_chain',
  /** An account’s transaction count is up to 3 too low or too high. */
  'wrong_nonce',
  /** A transaction is accepted and never passed on. */
  'forget_transaction',
  /** A receipt says that the transaction reverted, has no logs or other ones, or names another block. */
  'wrong_receipt',
] as const
export type Fault = (typeof FAULTS)[number]

/** The faults after which a request has no usable answer. */
export const FAILURES = [
  'refuse',
  'time_out',
  'hang',
  'truncate',
  'status_429',
  'status_503',
] as const satisfies Fault[]
/** The faults by which an answer is wrong. */
export const LIES = FAULTS.filter((fault) => !(FAILURES as readonly Fault[]).includes(fault))

type Call = { jsonrpc: '2.0'; id: number; method: string; params: unknown[] }
type Log = { topics: Hex[] }
type Receipt = { status: Hex; logs: Log[]; blockNumber: Hex; blockHash: Hex }
type Answer = { jsonrpc: '2.0'; id: number; result?: unknown; error?: unknown }

/**
 * A node that tells the truth of `target` until `lie` gives it faults, each with a rate from 0 to 1. The same seed and
 * the same sequence of requests give the same faults.
 */
export async function startLyingNode({ target, seed = 1 }: { target: string; seed?: number }) {
  const rates = new Map<Fault, number>()
  const lies = Object.fromEntries(FAULTS.map((fault) => [fault, 0])) as Record<Fault, number>
  const random = randomFrom(seed)
  const happens = (fault: Fault): boolean => {
    const rate = rates.get(fault) ?? 0
    if (rate === 0 || random() >= rate) return false
    lies[fault]++
    return true
  }
  const upTo = (most: number): number => 1 + Math.floor(random() * most)

  const ask = async (calls: readonly Call[]): Promise<Answer[]> => {
    const response = await fetch(target, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(calls),
    })
    return (await response.json()) as Answer[]
  }
  const askOne = async (method: string, params: unknown[]): Promise<unknown> =>
    (await ask([{ jsonrpc: '2.0', id: 1, method, params }]))[0]!.result

  /** A call about the latest block becomes one about an older block. */
  const withOldHead = async (call: Call): Promise<Call> => {
    if (call.method !== 'eth_getBlockByNumber' || call.params[0] !== 'latest' || !happens('old_head')) return call
    const head = Number(await askOne('eth_blockNumber', []))
    return { ...call, params: [numberToHex(Math.max(0, head - upTo(20))), ...call.params.slice(1)] }
  }

  const logsOf = (logs: unknown[]): unknown[] => {
    if (logs.length === 0) return logs
    if (happens('empty_logs')) return []
    if (happens('drop_log')) return logs.toSpliced(Math.floor(random() * logs.length), 1)
    return happens('duplicate') ? logs.flatMap((log) => [log, log]) : logs
  }

  const otherReceipt = async (receipt: Receipt): Promise<Receipt> => {
    const lie = upTo(4)
    if (lie === 1) return { ...receipt, status: '0x0', logs: [] }
    if (lie === 2) return { ...receipt, logs: [] }
    if (lie === 3) return { ...receipt, logs: receipt.logs.map(withOtherTopic) }
    const blockNumber = numberToHex(Math.max(0, Number(receipt.blockNumber) - upTo(20)))
    const { hash: blockHash } = (await askOne('eth_getBlockByNumber', [blockNumber, false])) as { hash: Hex }
    const place = { blockNumber, blockHash }
    return { ...receipt, ...place, logs: receipt.logs.map((log) => ({ ...log, ...place })) }
  }

  const distorted = async (call: Call, answer: Answer): Promise<Answer> => {
    if (answer.error !== undefined) return answer
    const { method } = call
    if (method === 'eth_getTransactionReceipt' && answer.result && happens('wrong_receipt'))
      return { ...answer, result: await otherReceipt(answer.result as Receipt) }
    if (method === 'eth_getLogs') return { ...answer, result: logsOf(answer.result as unknown[]) }
    if (method === 'eth_blockNumber' && happens('old_head'))
      return { ...answer, result: numberToHex(Math.max(0, Number(answer.result) - upTo(20))) }
    if (method === 'eth_chainId' && happens('other_chain')) return { ...answer, result: '0x5' }
    if (method === 'eth_getTransactionCount' && happens('wrong_nonce')) {
      const change = random() < 0.5 ? -upTo(3) : upTo(3)
      return { ...answer, result: numberToHex(Math.max(0, Number(answer.result) + change)) }
    }
    return answer
  }

  const answersTo = async (calls: readonly Call[]): Promise<Answer[]> => {
    const forgotten = new Map<number, Answer>()
    const passedOn: Call[] = []
    for (const call of calls) {
      if (call.method === 'eth_sendRawTransaction' && happens('forget_transaction'))
        forgotten.set(call.id, { jsonrpc: '2.0', id: call.id, result: keccak256(call.params[0] as Hex) })
      else passedOn.push(await withOldHead(call))
    }
    const real = new Map((passedOn.length > 0 ? await ask(passedOn) : []).map((answer) => [answer.id, answer]))
    const answers: Answer[] = []
    for (const call of calls) answers.push(forgotten.get(call.id) ?? (await distorted(call, real.get(call.id)!)))
    return answers
  }

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body: unknown = JSON.parse(await textOf(request))
    if (happens('refuse')) return void request.socket.destroy()
    if (happens('time_out')) return
    for (const status of [429, 503] as const)
      if (happens(`status_${status}`)) return void response.writeHead(status).end('Try again later.')
    const isBatch = Array.isArray(body)
    let answers = await answersTo([body].flat() as Call[])
    if (answers.length > 1 && happens('reorder')) answers = answers.toReversed()
    if (answers.length > 1 && happens('duplicate')) answers = answers.flatMap((answer) => [answer, answer])
    const text = JSON.stringify(isBatch ? answers : answers[0])
    response.writeHead(200, { 'content-type': 'application/json' })
    const half = text.slice(0, Math.ceil(text.length / 2))
    if (happens('hang')) return void response.write(half)
    response.end(happens('truncate') ? half : text)
  }

  const server = createServer((request, response) => {
    serve(request, response).catch(() => request.socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  atFileEnd(stop)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Sets the rate of these faults. */
    lie(faults: Fault | readonly Fault[], rate: number): void {
      for (const fault of [faults].flat() as Fault[]) rates.set(fault, rate)
    },
    /** Ends all faults. */
    tellTheTruth: () => rates.clear(),
    /** How often each fault happened. */
    lies,
    stop,
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const part of request) text += String(part)
  return text
}

/** mulberry32: numbers from 0 to 1 that depend on the seed only. */
export function randomFrom(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
