// Sends the requests of a case from a process of its own, so that its work isn't counted as the server's. Prints one line of JSON.
import fs from 'node:fs'
import autocannon from 'autocannon'

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

const load = JSON.parse(fs.readFileSync(process.argv[2]!, 'utf8')) as Load
const { connections, requests: shared } = load
let next = 0
let lastAnswer = 0
const how =
  load.amount === undefined
    ? {
        duration: load.seconds ?? 3,
        // Each connection has its share, so that no two send the same request at the same time. Written beforehand, they cost the client little.
        setupClient: (client: autocannon.Client) => {
          const at = next++ % connections
          const own = shared.filter((_, index) => index % connections === at)
          client.setRequests(own.length > 0 ? own : shared)
        },
      }
    : {
        amount: load.amount,
        requests: [
          {
            setupRequest: (request: autocannon.Request) => {
              const { method, path, headers, body } = shared[next++ % shared.length]!
              return {
                ...request,
                method,
                path,
                headers: { ...request.headers, ...headers },
                ...(body !== undefined && { body }),
              }
            },
            onResponse: () => void (lastAnswer = Date.now()),
          },
        ],
      }
const result = await autocannon({
  url: load.url as string, // its types leave out that several are taken
  connections,
  timeout: 60, // of an answer, in seconds
  ...how,
})
// autocannon looks only once a second whether all requests of an amount are answered.
const seconds = ((load.amount !== undefined ? lastAnswer : result.finish.getTime()) - result.start.getTime()) / 1000
const statuses = Object.fromEntries(
  Object.entries(result.statusCodeStats ?? {}).map(([status, { count }]) => [status, count ?? 0]),
)
const requests = Object.values(statuses).reduce((sum, count) => sum + count, 0)
const answer: LoadResult = {
  perSecond: requests / seconds,
  requests,
  p50: result.latency.p50,
  p99: result.latency.p99,
  bytes: result.throughput.total / Math.max(1, requests),
  statuses,
  errors: result.errors,
}
console.log(JSON.stringify(answer))
