import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isDatabaseUp } from '../platform/http/is-database-up.ts'
import { stuckLoops } from './stuck-loops.ts'

type Answer = { status: number; body: object }

/** The paths that the worker's port serves, and no others. */
const PATHS: Record<string, () => Promise<Answer>> = {
  '/health/live': async () => {
    const stuck = stuckLoops()
    return { status: stuck.length === 0 ? 200 : 503, body: { live: stuck.length === 0, stuck } }
  },
  '/health/ready': async () => {
    const up = await isDatabaseUp()
    return { status: up ? 200 : 503, body: { ready: up, database: { up } } }
  },
}

/** Answers a supervisor's questions about this worker. Throws when the port is taken. */
export async function serveHealth(port: number, host: string): Promise<{ port: number; stop(): Promise<void> }> {
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0]!
    const ask = request.method === 'GET' && Object.hasOwn(PATHS, path) ? PATHS[path]! : null
    const answered = ask ? ask() : Promise.resolve({ status: 404, body: {} })
    void answered.then(({ status, body }) =>
      response
        .writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
        .end(JSON.stringify(body)),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve())
  })
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
