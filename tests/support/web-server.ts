import type { AddressInfo, Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import type { AppError } from '../../lib/core/errors.ts'
import type { FrontServerSettings } from '../../lib/platform/http/front-server.ts'
import { type Application, httpServer } from '../../lib/platform/http/http-server.ts'
import type { Turn } from '../../lib/platform/http/turns.ts'

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
export async function startWebServer(
  application: Application,
  given: Partial<FrontServerSettings> = {},
  maintenance?: () => Promise<AppError | null>,
  nextTurn?: () => Promise<Turn>,
) {
  const server = httpServer({ ...settings, ...given }, async () => [], application, maintenance, nextTurn)
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
    server,
    port,
    url: `http://127.0.0.1:${port}`,
    openConnections: () => sockets.filter(({ destroyed }) => !destroyed).length,
    bytesRead: () => sockets.reduce((sum, each) => sum + each.bytesRead, 0),
  }
}
