import { gather } from '../../core/gather.ts'
import { inGroups } from '../../core/in-groups.ts'
import { NodeRefusal } from './refusals.ts'

/** A node gave no usable answer: none at all, none in time, or one that isn't JSON-RPC. */
export class NodeSilent extends Error {
  readonly timedOut: boolean

  constructor(message: string, { timedOut = false, cause }: { timedOut?: boolean; cause?: unknown } = {}) {
    super(message, { cause })
    this.timedOut = timedOut
  }
}

/** Asks one node. Throws NodeRefusal for a JSON-RPC error and NodeSilent when there is no usable answer. */
export type JsonRpc = (method: string, params: readonly unknown[]) => Promise<unknown>

/** Methods whose cost the caller can't know. They travel alone, so that a slow one holds up no other. */
export const SLOW_METHODS: ReadonlySet<string> = new Set(['eth_call', 'eth_estimateGas', 'eth_getLogs'])

const CALLS_PER_BATCH = 50
const MAX_ANSWER_BYTES = 64 * 1024 * 1024
/**
 * The most bytes of a contract's answer: anybody's contract may be called. The longest answer that is of use is a
 * document in a token's address, in hex.
 */
const MAX_RETURNED_BYTES = 4 * 1024 * 1024
const TOO_MANY_REQUESTS = 429
const TOO_LARGE = 413

type Call = {
  id: number
  method: string
  params: readonly unknown[]
  resolve: (result: unknown) => void
  reject: (error: unknown) => void
}
type Answer = { id?: unknown; result?: unknown; error?: { code?: unknown; message?: unknown; data?: unknown } | null }

/**
 * JSON-RPC over HTTP. Calls of the same moment are sent as one batch; answers are matched by their ids, since a node
 * may leave some out, repeat them or change their order. The time limit includes the answer's body.
 */
export function jsonRpcOver(url: string, timeoutMs: number): JsonRpc {
  const endpoint = endpointOf(url)
  let lastId = 0
  let takesBatches = true

  async function send(calls: readonly Call[]): Promise<void> {
    const bodies = calls.map(({ id, method, params }) => ({ jsonrpc: '2.0', id, method, params }))
    try {
      const maxBytes = calls.every(({ method }) => method === 'eth_call') ? MAX_RETURNED_BYTES : MAX_ANSWER_BYTES
      const answer = await post(endpoint, JSON.stringify(bodies.length > 1 ? bodies : bodies[0]), timeoutMs, maxBytes)
      if (calls.length > 1 && !Array.isArray(answer)) {
        const refusal = refusalIn(answer as Answer)
        if (refusal?.code === TOO_MANY_REQUESTS) throw refusal
        takesBatches = false
        return void (await Promise.all(calls.map((call) => send([call]))))
      }
      const answers = (Array.isArray(answer) ? answer : [answer]) as Answer[]
      for (const call of calls) settle(call, answers.find(({ id }) => id === call.id) ?? withoutId(answers))
    } catch (error) {
      for (const call of calls) call.reject(error)
    }
  }

  const sendSoon = gather<Call>((calls) => {
    for (const some of inGroups(calls, takesBatches ? CALLS_PER_BATCH : 1)) void send(some)
  })

  return (method, params) =>
    new Promise((resolve, reject) => {
      const call: Call = { id: ++lastId, method, params, resolve, reject }
      if (SLOW_METHODS.has(method)) return void send([call])
      sendSoon(call)
    })
}

/** Some servers answer a single call's error without its id. */
const withoutId = (answers: readonly Answer[]): Answer | undefined =>
  answers.length === 1 && (answers[0]?.id ?? null) === null ? answers[0] : undefined

function settle({ method, resolve, reject }: Call, answer: Answer | undefined): void {
  const refusal = refusalIn(answer)
  if (refusal) reject(refusal)
  else if (answer?.result === undefined) reject(new NodeSilent(`The node left out the answer to ${method}.`))
  else resolve(answer.result)
}

function refusalIn(answer: Answer | undefined): NodeRefusal | null {
  const error = answer?.error
  if (!error) return null
  const message = typeof error.message === 'string' ? error.message : JSON.stringify(error)
  return new NodeRefusal(Number(error.code ?? 0), message, error.data)
}

type Endpoint = { url: string; headers: Record<string, string> }

/** fetch takes no user name and password in a URL: they become a header. */
function endpointOf(text: string): Endpoint {
  const url = new URL(text)
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  if (url.username || url.password) {
    const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
    headers.authorization = `Basic ${Buffer.from(credentials).toString('base64')}`
    url.username = url.password = ''
  }
  return { url: url.href, headers }
}

async function post({ url, headers }: Endpoint, body: string, timeoutMs: number, maxBytes: number): Promise<unknown> {
  let status: number
  let text: string
  try {
    const response = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(timeoutMs) })
    status = response.status
    text = await textOf(response, maxBytes)
  } catch (error) {
    if (error instanceof NodeRefusal) throw error
    const timedOut = (error as Error).name === 'TimeoutError'
    throw new NodeSilent(timedOut ? 'The node did not answer in time.' : 'The node can’t be reached.', {
      timedOut,
      cause: error,
    })
  }
  const answer = parsed(text)
  // Some providers send JSON-RPC errors with a status of their own.
  if (typeof answer === 'object' && answer !== null && (status < 400 || Array.isArray(answer) || 'error' in answer))
    return answer
  if (status === TOO_MANY_REQUESTS) throw new NodeRefusal(TOO_MANY_REQUESTS, 'Too many requests.', undefined)
  if (status === TOO_LARGE) throw new NodeRefusal(TOO_LARGE, 'The request or its answer is too large.', undefined)
  throw new NodeSilent(`The node answered with status ${status} and no JSON-RPC.`)
}

async function textOf(response: Response, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const part of response.body ?? []) {
    bytes += part.byteLength
    if (bytes > maxBytes) throw new NodeRefusal(TOO_LARGE, 'The answer is too large.', undefined)
    text += decoder.decode(part, { stream: true })
  }
  return text + decoder.decode()
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
