import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Received = { headers: IncomingHttpHeaders; body: string; json: any } // as sent on the wire
export type ReceiverAnswer = { status: number; body?: string; headers?: Record<string, string> }

/** An HTTP server that receives webhooks, records each request, and answers as the test sets it. */
export async function startReceiver() {
  const received: Received[] = []
  let nextAnswer: ReceiverAnswer = { status: 200 }
  let gate: { opened: Promise<void>; open: () => void } | null = null
  const arrivalListeners = new Set<() => void>()
  const listener: RequestListener = (incoming, outgoing) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8')
      received.push({ headers: incoming.headers, body, json: body ? JSON.parse(body) : null })
      for (const onArrival of arrivalListeners) onArrival()
      const { status, body: text = 'ok', headers = {} } = nextAnswer
      void (gate?.opened ?? Promise.resolve()).then(() => outgoing.writeHead(status, headers).end(text))
    })
  }
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    answer: (next: ReceiverAnswer) => void (nextAnswer = next),
    /** Delays every answer until the returned function is called. */
    holdAnswers(): () => void {
      let open = () => {}
      const opened = new Promise<void>((resolve) => (open = resolve))
      gate = { opened, open }
      return () => {
        gate = null
        open()
      }
    },
    /** Resolves once this many requests were received in all. */
    waitForRequests: (count: number) =>
      new Promise<void>((resolve) => {
        const check = () => {
          if (received.length < count) return
          arrivalListeners.delete(check)
          resolve()
        }
        arrivalListeners.add(check)
        check()
      }),
    close: () => {
      gate?.open()
      server.closeAllConnections()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
