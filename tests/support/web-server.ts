import { type AddressInfo, connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import type { FrontServerSettings } from '../../lib/platform/http/front-server.ts'
import { type Application, httpServer } from '../../lib/platform/http/http-server.ts'

export const settings: FrontServerSettings = {
  origin: 'https://vitrine.example',
  claimOrigin: '',
  publicApiHost: '',
  adminApiHost: '',
  trustedProxies: [],
  sandbox: false,
  stripe: false,
  development: false,
}

/** Starts the web process's HTTP server before an application of the test; it ends with the test. */
export async function startWebServer(application: Application, given: Partial<FrontServerSettings> = {}) {
  const server = httpServer({ ...settings, ...given }, async () => [], application)
  const sockets: Socket[] = []
  server.on('connection', (socket: Socket) => sockets.push(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    bytesRead: () => sockets.reduce((sum, each) => sum + each.bytesRead, 0),
  }
}

/**
 * Sends text as it is, then pieces for as long as the server takes them, and gives everything it answers until it closes its side.
 * `stubborn`: goes on sending until the connection breaks.
 */
export function sendRaw(
  port: number,
  head: string,
  pieces: Iterable<Uint8Array> = [],
  stubborn = false,
): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  const rest = pieces[Symbol.iterator]()
  let answer = ''
  const pump = () => {
    for (let next = rest.next(); !next.done; next = rest.next()) if (!socket.write(next.value)) return
  }
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString('latin1')))
  socket.on('drain', pump)
  if (!stubborn) socket.on('end', () => socket.destroy())
  socket.on('error', () => undefined) // the server closes while we send
  return new Promise((resolve) => {
    socket.on('close', () => resolve(answer))
    socket.write(head, pump)
  })
}
