import { handlers } from '../../scripts/route-table.ts'
import { currentActor, type Process, type Scheduler } from './scheduler.ts'
import { wait } from './wait.ts'

export type WebAnswer = { status: number; body: any } // tests read the wire body untyped

const routes = handlers
  .map((handler) => ({
    handler,
    names: [...handler.endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!),
    pattern: new RegExp(`^${handler.endpoint.path.replace(/\{\w+\}/g, '([^/]+)')}$`),
  }))
  .sort((a, b) => a.names.length - b.names.length)

type Options = { key?: string; body?: unknown; idempotencyKey?: string }

/** Answers a request as the web process does. */
async function answer(method: string, url: string, { key, body, idempotencyKey }: Options): Promise<WebAnswer> {
  const { pathname } = new URL(url, 'http://localhost')
  const route = routes.find(({ handler, pattern }) => handler.endpoint.method === method && pattern.test(pathname))
  if (!route) throw new Error(`No endpoint answers ${method} ${pathname}.`)
  const values = route.pattern.exec(pathname)!.slice(1).map(decodeURIComponent)
  const params = Object.fromEntries(route.names.map((name, at) => [name, values[at]!]))
  const request = new Request(new URL(url, 'http://localhost'), {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(key && { authorization: `Bearer ${key}` }),
      ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const response = await route.handler(request, { params: Promise.resolve(params) })
  const text = await response.text()
  return { status: response.status, body: text ? JSON.parse(text) : null }
}

const TRIES = 6

export type Web = ReturnType<typeof makeWeb>

/** The web process, and how people reach it. It can be killed: who waits for an answer then gets none. */
export function makeWeb(scheduler: Scheduler) {
  let process: Process = { name: 'web', isAlive: true }
  let lives = 1
  const waiting = new Set<() => void>()

  /** One request. null: no answer came. */
  function ask(method: string, url: string, options: Options): Promise<WebAnswer | null> {
    if (!currentActor()) return answer(method, url, options)
    const own = process
    return new Promise((resolve) => {
      const lost = () => resolve(null)
      waiting.add(lost)
      const { pathname } = new URL(url, 'http://localhost')
      scheduler.start(own, `${own.name} ${method} ${pathname.replace(/[\w-]{30,}/g, '…')}`, async () => {
        const result = await answer(method, url, options).catch(() => null)
        if (!own.isAlive) return
        waiting.delete(lost)
        resolve(result)
      })
    })
  }

  return {
    ask,
    process: () => process,
    /** Repeats a request until an answer comes that isn't about the moment. null: none came. */
    async insist(method: string, url: string, options: Options): Promise<WebAnswer | null> {
      for (let tries = 0; tries < TRIES; tries++) {
        const result = await ask(method, url, options)
        const code: unknown = result?.body?.code
        const isFinal = result && result.status < 500 && result.status !== 429 && code !== 'idempotency_in_flight'
        if (isFinal) return result
        await wait(1_000 * 2 ** tries)
      }
      return null
    },
    /** Kills the process, and starts another. Gives the one that is gone. */
    kill(): Process {
      const gone = process
      gone.isAlive = false
      process = { name: `web-${++lives}`, isAlive: true }
      for (const lost of waiting) lost()
      waiting.clear()
      return gone
    },
  }
}
