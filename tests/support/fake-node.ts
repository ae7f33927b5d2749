import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

type Params = readonly never[]
/** An answer's members besides its id; null: the connection is closed; undefined: there is never an answer. */
type FakeAnswer = { result?: unknown; error?: { code: number; message: string; data?: unknown } } | null | undefined

/**
 * A node that answers each call as told. Without an answer of its own to eth_chainId it is a node of the local chain.
 */
export async function startFakeNode(
  answer: (method: string, params: Params) => FakeAnswer,
  { status = 200, chainId = '0x7a69', takesBatches = true } = {},
) {
  const asked: { method: string; params: Params }[] = []
  const node = {
    url: '',
    asked,
    status,
    chainId,
    calls: (method: string) => asked.filter((call) => call.method === method),
  }
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (part) => (text += part))
    request.on('end', () => {
      const body = JSON.parse(text) as unknown
      const isBatch = Array.isArray(body)
      if (isBatch && !takesBatches)
        return response.end(JSON.stringify({ error: { code: -32600, message: 'Batches are not taken.' } }))
      const calls = [body].flat() as { id: number; method: string; params: Params }[]
      asked.push(...calls.map(({ method, params }) => ({ method, params })))
      const answers = calls.map(({ id, method, params }) => {
        const own = method === 'eth_chainId' ? { result: node.chainId } : answer(method, params)
        return own && { jsonrpc: '2.0', id, ...own }
      })
      if (answers.includes(null)) return void request.socket.destroy()
      if (answers.includes(undefined)) return
      response
        .writeHead(node.status, { 'content-type': 'application/json' })
        .end(JSON.stringify(isBatch ? answers : answers[0]))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  node.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return node
}
