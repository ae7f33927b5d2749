import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { atFileEnd } from './file-end.ts'

export type RpcRequest = { id: number; method: string; params: unknown[] }
export type RpcError = { code: number; message: string }

/** A JSON-RPC server before a node, on 127.0.0.1. `refuse` says with which error a request is answered; null passes it on. */
export async function startNodeProxy(target: string) {
  const state = { refuse: (_request: RpcRequest): RpcError | null => null, refused: 0 }
  const answer = async (request: RpcRequest): Promise<object> => {
    const error = state.refuse(request)
    if (error) {
      state.refused++
      return { jsonrpc: '2.0', id: request.id, error }
    }
    const response = await fetch(target, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
    })
    return (await response.json()) as object
  }
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as RpcRequest | RpcRequest[]
      void (Array.isArray(body) ? Promise.all(body.map(answer)) : answer(body)).then(
        (answers) => response.setHeader('content-type', 'application/json').end(JSON.stringify(answers)),
        () => response.destroy(),
      )
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  atFileEnd(() => new Promise<void>((closed) => server.close(() => closed())))
  return Object.assign(state, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
}
