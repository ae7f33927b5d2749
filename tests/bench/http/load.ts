// Sends the requests of a case from a process of its own, so that its work isn't counted as the server's. Prints one
// line of JSON. The client shares the processors with the servers, so it does no more than it must. autocannon and
// undici take twice as much processor time for a request, which is half of what an item costs the web process.
import fs from 'node:fs'
import net from 'node:net'
import { AnswerReader } from './answer-reader.ts'

/** What is asked of one server. Each connection goes through the requests in turn. */
export type Load = {
  /** Several are asked in turn, each over as many of the connections. */
  url: string | string[]
  connections: number
  /** Either as long as this, or as many requests. */
  seconds?: number
  amount?: number
  requests: { method: 'GET' | 'POST'; path: string; headers: Record<string, string>; body?: string }[]
}

export type LoadResult = {
  perSecond: number
  requests: number
  p50: number
  p99: number
  bytes: number
  statuses: Record<string, number>
  errors: number
}

/** Of an answer. */
const TIMEOUT_MS = 60_000

const load = JSON.parse(fs.readFileSync(process.argv[2]!, 'utf8')) as Load
const { connections, amount, requests } = load
const urls = [load.url].flat().map((url) => new URL(url))
const statuses: Record<string, number> = {}
const times: number[] = []
let bytes = 0
let errors = 0
let asked = 0
let lastAnswer = 0

function bytesOf({ host }: URL, { method, path, headers, body }: Load['requests'][number]): Buffer {
  const all = { Host: host, ...headers, ...(body !== undefined && { 'Content-Length': Buffer.byteLength(body) }) }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`)
}

/**
 * What a connection asks next; null when it is over. For a time, each has a share of its own, so that no two ask the
 * same at the same time, and which is written beforehand. Of an amount, each takes the next.
 */
function questionsOf(connection: number, url: URL, end: number): () => Buffer | null {
  if (amount !== undefined) return () => (asked < amount ? bytesOf(url, requests[asked++ % requests.length]!) : null)
  const share = requests.filter((_, index) => index % connections === connection)
  const own = (share.length > 0 ? share : requests).map((request) => bytesOf(url, request))
  let next = 0
  return () => (performance.now() < end ? own[next++ % own.length]! : null)
}

/** What all connections read into, one after the other. */
const read = Buffer.alloc(64 * 1024)

/** Asks over one connection, which is opened anew after an error, until there is nothing more to ask. */
function ask(url: URL, nextQuestion: () => Buffer | null): Promise<void> {
  return new Promise((resolve) => {
    const open = (question: Buffer) => {
      const reader = new AnswerReader()
      let sent = performance.now()
      let isOver = false
      const onBytes = (count: number): boolean => {
        bytes += count
        const status = reader.read(read.subarray(0, count))
        if (status === null) return true
        const now = performance.now()
        times.push(now - sent)
        statuses[status] = (statuses[status] ?? 0) + 1
        lastAnswer = now
        const next = nextQuestion()
        isOver = next === null
        if (next) socket.write(next)
        else socket.destroy()
        sent = now
        return true
      }
      const to = { host: url.hostname, port: Number(url.port), noDelay: true }
      const socket = net.connect({ ...to, onread: { buffer: read, callback: onBytes } })
      socket.setTimeout(TIMEOUT_MS, () => socket.destroy())
      socket.on('error', () => undefined) // “close” follows.
      socket.on('close', () => {
        if (!isOver) errors++
        const next = isOver ? null : nextQuestion()
        if (next) open(next)
        else resolve()
      })
      socket.write(question)
    }
    const first = nextQuestion()
    if (first) open(first)
    else resolve()
  })
}

const start = performance.now()
const end = start + (load.seconds ?? 3) * 1000
await Promise.all(
  Array.from({ length: connections }, (_, connection) => {
    const url = urls[connection % urls.length]!
    return ask(url, questionsOf(connection, url, end))
  }),
)
times.sort((one, other) => one - other)
const percentile = (share: number): number => Math.round(times[Math.floor(times.length * share)] ?? 0)
const answer: LoadResult = {
  perSecond: times.length / (Math.max(1, lastAnswer - start) / 1000),
  requests: times.length,
  p50: percentile(0.5),
  p99: percentile(0.99),
  bytes: bytes / Math.max(1, times.length),
  statuses,
  errors,
}
console.log(JSON.stringify(answer))
