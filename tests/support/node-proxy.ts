import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { atFileEnd } from './file-end.ts'

export type RpcRequest = { id: number; method: string; params: unknown[] }
export type RpcError = { code: number; message: string }
type RpcAnswer = { id: number; result?: unknown }

/**
 * A JSON-RPC server before a node, on 127.0.0.1. `refuse` says with which error a request is answered; null passes it
 * on. `distort` gives the result that is told instead of the node's. `delayMs`: how far away the node is. `posts`: the
 * methods of each request that came, several where it was a batch.
 */
export async function startNodeProxy(target: string) {
  const state = {
    refuse: (_request: RpcRequest): RpcError | null => null,
    distort: (_request: RpcRequest, result: unknown): unknown => result,
    refused: 0,
    delayMs: 0,
    posts: [] as string[][],
  }
  const pass = async (body: RpcRequest | readonly RpcRequest[]): Promise<unknown> => {
    const response = await fetch(target, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const requests = new Map([body].flat().map((request) => [request.id, request]))
    const told = (answer: RpcAnswer): RpcAnswer =>
      'result' in answer ? { ...answer, result: state.distort(requests.get(answer.id)!, answer.result) } : answer
    const answers = (await response.json()) as RpcAnswer | RpcAnswer[]
    return Array.isArray(answers) ? answers.map(told) : told(answers)
  }
  const answer = async (request: RpcRequest): Promise<unknown> => {
    const error = state.refuse(request)
    if (!error) return pass(request)
    state.refused++
    return { jsonrpc: '2.0', id: request.id, error }
  }
  /** What isn't refused reaches the node in the order in which it came. */
  const answerAll = async (requests: readonly RpcRequest[]): Promise<unknown[]> => {
    const answers: unknown[] = []
    const isPassed = requests.every((request) => state.refuse(request) === null)
    if (isPassed) return (await pass(requests)) as unknown[]
    for (const request of requests) answers.push(await answer(request))
    return answers
  }
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as RpcRequest | RpcRequest[]
      state.posts.push([body].flat().map(({ method }) => method))
      const answered = wait(state.delayMs).then(() => (Array.isArray(body) ? answerAll(body) : answer(body)))
      void answered.then(
        (answers) => response.setHeader('content-type', 'application/json').end(JSON.stringify(answers)),
        () => response.destroy(),
      )
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  atFileEnd(() => new Promise<void>((closed) => server.close(() => closed())))
  return Object.assign(state, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
}
