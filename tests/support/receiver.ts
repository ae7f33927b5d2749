import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Received = { headers: IncomingHttpHeaders; body: string; json: any } // as it stands on the wire
export type Answering = { status: number; body?: string; headers?: Record<string, string> }
export type Receiver = Awaited<ReturnType<typeof startReceiver>>

/** A webhook's receiver: what came, and how the next ones are answered. `hold` keeps answers back until they are let go. */
export async function startReceiver() {
  const received: Received[] = []
  let answering: Answering = { status: 200 }
  let gate: { opened: Promise<void>; open: () => void } | null = null
  const arrivals = new Set<() => void>()
  const listener: RequestListener = (incoming, outgoing) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8')
      received.push({ headers: incoming.headers, body, json: body ? JSON.parse(body) : null })
      for (const arrived of arrivals) arrived()
      const { status, body: text = 'ok', headers = {} } = answering
      void (gate?.opened ?? Promise.resolve()).then(() => outgoing.writeHead(status, headers).end(text))
    })
  }
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    answer: (next: Answering) => void (answering = next),
    /** From now on nobody is answered, until the function that comes back is called. */
    hold(): () => void {
      let open = () => {}
      const opened = new Promise<void>((resolve) => (open = resolve))
      gate = { opened, open }
      return () => {
        gate = null
        open()
      }
    },
    /** Once so many have come. */
    arrived: (count: number) =>
      new Promise<void>((resolve) => {
        const look = () => {
          if (received.length < count) return
          arrivals.delete(look)
          resolve()
        }
        arrivals.add(look)
        look()
      }),
    close: () => {
      gate?.open()
      server.closeAllConnections()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
