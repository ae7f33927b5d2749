import http from 'node:http'
import type { AddressInfo } from 'node:net'

/** A reverse proxy before several web processes: it asks them in turn, and another one when a connection is refused. */
export async function startProxy(port: number, ports: number[]): Promise<() => void> {
  let turn = 0
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => forward(request, response, Buffer.concat(chunks), ports.length))
  })
  const forward = (request: http.IncomingMessage, response: http.ServerResponse, body: Buffer, tries: number): void => {
    const headers = { ...request.headers, 'x-forwarded-for': request.socket.remoteAddress }
    const target = {
      host: '127.0.0.1',
      port: ports[turn++ % ports.length]!,
      path: request.url,
      method: request.method,
      headers,
    }
    const passed = http.request(target, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    passed.on('error', () => {
      if (tries > 1 && !response.headersSent) return forward(request, response, body, tries - 1)
      if (!response.headersSent) response.writeHead(502)
      response.end()
    })
    passed.end(body)
  }
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  if ((server.address() as AddressInfo).port !== port) throw new Error('The proxy has another port.')
  return () => {
    server.close()
    server.closeAllConnections()
  }
}
