import { setTimeout as wait } from 'node:timers/promises'
import { sepolia } from 'viem/chains'
import { newId } from '../../../lib/core/id.ts'
import { freeStackPort } from '../../../scripts/launcher/ports.ts'
import { startChain } from '../../support/chain.ts'
import { FAILURES, LIES, startLyingNode } from '../../support/lying-node.ts'
import { startMailbox } from '../../support/mailbox.ts'
import type { OwnPostgres } from '../../support/own-postgres.ts'
import type { Kind } from '../matrix/process.ts'
import { arm, load, memoryOf, NOTHING, type Running } from '../matrix/processes.ts'
import { until } from '../matrix/stage.ts'

export type World = Awaited<ReturnType<typeof startWorld>>
type Answer = { status: number; body: any } // actors read the wire body untyped

/** Each lie, and all failures together, happen to so many answers of a node. */
const RATE = 0.02
/** A request that got no answer for so long counts as a fault. */
const PATIENCE_MS = 120_000
const BLOCK_SECONDS = 1
/** Mining one block takes less. */
const MINED_MS = 500
const AWAY: readonly unknown[] = ['unavailable', 'idempotency_in_flight', 'overloaded']

/**
 * Two web processes and two workers on one PostgreSQL, before nodes that lie. One of each is killed and replaced; the
 * other lives throughout, so that its memory tells something.
 */
export async function startWorld(postgres: OwnPostgres, seed: number) {
  const chain = await startChain({ blockTime: BLOCK_SECONDS, id: sepolia.id })
  const target = chain.rpcUrl
  const nodes = await Promise.all([1, 2].map((at) => startLyingNode({ target, seed: seed * 2 + at })))
  const mailbox = await startMailbox()
  const ports = { kept: await freeStackPort(), mortal: await freeStackPort() }
  const env = {
    ...process.env,
    ...chain.env,
    RPC_URLS: `${sepolia.id}=${nodes.map(({ url }) => url).join(',')}`,
    ORIGIN: `http://localhost:${ports.kept}`,
    SMTP_URL: mailbox.url,
  }
  const start = async (kind: Kind, port: number, nodeArgs: string[] = []): Promise<Running> => {
    const running = load(kind, { ...env, PORT: String(port) }, nodeArgs)
    await arm(running, NOTHING)
    return running
  }
  const kept = {
    web: await start('web', ports.kept, ['--expose-gc']),
    worker: await start('worker', 0, ['--expose-gc']),
  }
  const mortal = { web: await start('web', ports.mortal), worker: await start('worker', 0) }
  for (const port of Object.values(ports))
    await until('A web process', async () => Boolean(await fetch(`http://127.0.0.1:${port}/public/v1/collections`)))

  const statuses = new Map<number, number>()
  const faults: string[] = []
  let broken = 0
  let turn = 0

  /** Asks the two web processes in turn, and again while none answers. Answers of 500 are faults. */
  async function request(
    method: string,
    url: string,
    { key, body, headers = {} }: { key?: string; body?: object; headers?: Record<string, string> } = {},
  ): Promise<Answer> {
    const idempotencyKey = newId()
    return until(
      `The answer to ${method} ${url}`,
      async () => {
        const port = turn++ % 2 ? ports.kept : ports.mortal
        const response = await fetch(`http://127.0.0.1:${port}${url}`, {
          method,
          headers: {
            ...(key && { authorization: `Bearer ${key}` }),
            ...(method === 'POST' && { 'idempotency-key': idempotencyKey }),
            ...(body && { 'content-type': 'application/json' }),
            ...headers,
          },
          ...(body && { body: JSON.stringify(body) }),
          signal: AbortSignal.timeout(30_000),
        })
        const text = await response.text()
        const isJson = (response.headers.get('content-type') ?? '').includes('json')
        const answer: Answer = { status: response.status, body: isJson && text ? JSON.parse(text) : text }
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
        if (answer.status === 500) faults.push(`${method} ${url}: ${text}`)
        if (!AWAY.includes(answer.body?.code)) return answer
        await wait(500)
        return null
      },
      PATIENCE_MS,
    ).catch((error: Error) => {
      broken++
      throw error
    })
  }

  return {
    chain,
    mailbox,
    request,
    statuses,
    faults,
    unanswered: () => broken,
    /** Has the nodes lie and fail from now on. */
    lie(): void {
      for (const node of nodes) {
        node.lie(LIES, RATE)
        node.lie(FAILURES, RATE / FAILURES.length)
      }
    },
    tellTheTruth: () => nodes.forEach((node) => node.tellTheTruth()),
    lies: () => nodes.flatMap(({ lies }) => Object.values(lies)).reduce((sum, count) => sum + count, 0),
    /** Kills a process and starts another in its place. */
    async kill(kind: Kind): Promise<void> {
      mortal[kind].child.kill('SIGKILL')
      await mortal[kind].ended
      mortal[kind] = await start(kind, kind === 'web' ? ports.mortal : 0)
    },
    killPostgres: () => postgres.kill(),
    /**
     * Replaces the last blocks by empty ones. Mining stops meanwhile: else anvil loses blocks, and what they changed,
     * for good.
     */
    async reorg(depth: number): Promise<void> {
      await chain.node.setIntervalMining({ interval: 0 })
      await wait(MINED_MS)
      await chain.client.request({ method: 'anvil_reorg', params: [depth, []] } as never)
      await chain.node.setIntervalMining({ interval: BLOCK_SECONDS })
    },
    /** The bytes that the processes have in use which live throughout. */
    memory: async () => ({ web: await memoryOf(kept.web), worker: await memoryOf(kept.worker) }),
  }
}
