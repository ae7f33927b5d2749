import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'

/** An answer of 500 or more, or none. */
type Failure = { method: string; path: string; status: number | null; port: number }

/** Passes each request to the next of several web processes. */
export async function startBalancer(port: number) {
  const targets = new Set<number>()
  const failures: Failure[] = []
  let turn = 0

  function pass(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const target = [...targets][turn++ % targets.size]!
    const { method = 'GET', url = '/', headers } = incoming
    const fail = (status: number | null) => failures.push({ method, path: url.split('?')[0]!, status, port: target })
    const passed = request({ host: '127.0.0.1', port: target, method, path: url, headers }, (answer) => {
      if (answer.statusCode! >= 500) fail(answer.statusCode!)
      outgoing.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(outgoing)
    })
    passed.once('error', () => {
      fail(null)
      outgoing.destroy()
    })
    incoming.pipe(passed)
  }

  const server = createServer(pass)
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    failures,
    add: (target: number) => void targets.add(target),
    /** Requests that were passed to it are still answered. */
    remove: (target: number) => void targets.delete(target),
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
