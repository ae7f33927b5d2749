import { Worker } from 'node:worker_threads'
import path from 'node:path'
import { AppError } from '../../core/errors.ts'
import { oncePerProcess } from '../../core/once-per-process.ts'
import type { Context } from '../auth/context.ts'
import { countTime } from '../http/rate-limit.ts'
import type { Reply } from './answer-tasks.ts'

// Tasks on texts of tenants, which may take long, run in a thread of the process with limits of processor time and
// memory. A thread takes one task after the other, in turn for all organizations: whoever has slow ones waits for their
// own. The time counts as requests of the key.

const LOOK_MS = 20
/** Tasks of one organization that may wait. */
const MOST_WAITING = 100

/**
 * The result of a task, and its milliseconds of processor time. `reply` is null where it took too long, or too much
 * memory.
 */
export type Outcome<R> = { reply: R | null; ms: number }
/** Whose tasks these are. */
export type Owner = Pick<Context, 'organizationId' | 'actor'>

type Waiting = { run: () => Promise<void> }
type Thread = { worker: Worker; cpuMicros: number; key: string | null }
type Pool = { thread: Promise<Thread> | null; waiting: Map<string, Waiting[]>; isRunning: boolean }

type Options = {
  /** The source of the thread, which answers by `answerTasks`, from the checkout's root. */
  file: string
  memoryMb: number
  /** The detail of the error `overloaded`. */
  tooMany: string
}

export type LimitedThread<Task, R> = {
  /** Carries out `work` when it is its owner's turn. Throws `overloaded` where too much of the owner waits. */
  inTurn: <T extends { ms: number }>(owner: Owner, work: () => Promise<T>) => Promise<T>
  /**
   * Has the thread carry out a task, and ends the thread when that takes more than so many milliseconds of its
   * processor time.
   */
  carryOut: <One extends R = R>(task: Task, limitMs: number) => Promise<Outcome<One>>
  /** The thread of this moment. `key`: what it is prepared for, which its successor isn't. */
  current: () => Promise<{ key: string | null }>
}

/** One thread of this process, by its name, which begins when it is first needed. */
export function limitedThread<Task, R>(name: string, { file, memoryMb, tooMany }: Options): LimitedThread<Task, R> {
  const pool = oncePerProcess(name, (): Pool => ({ thread: null, waiting: new Map(), isRunning: false }))

  async function inTurn<T extends { ms: number }>(
    { organizationId, actor }: Owner,
    work: () => Promise<T>,
  ): Promise<T> {
    const mine = pool.waiting.get(organizationId) ?? []
    if (mine.length >= MOST_WAITING) throw new AppError('overloaded', tooMany, { retryAfterSeconds: 5 })
    pool.waiting.set(organizationId, mine)
    const done = new Promise<T>((resolve, reject) => mine.push({ run: () => work().then(resolve, reject) }))
    void runWaiting()
    const outcome = await done
    if ('id' in actor) await countTime('admin', actor.id, outcome.ms)
    return outcome
  }

  async function runWaiting(): Promise<void> {
    if (pool.isRunning) return
    pool.isRunning = true
    for (let next = pool.waiting.entries().next().value; next; next = pool.waiting.entries().next().value) {
      const [owner, [first, ...rest]] = next
      // Who has more goes to the end.
      pool.waiting.delete(owner)
      if (rest.length > 0) pool.waiting.set(owner, rest)
      await first!.run()
    }
    pool.isRunning = false
  }

  const threadOf = (): Promise<Thread> =>
    (pool.thread ??= openThread().catch((error: unknown) => {
      pool.thread = null
      throw error
    }))

  function openThread(): Promise<Thread> {
    // The thread reads its source: the bundles of the web process have no file of it.
    const worker = new Worker(path.join(/* turbopackIgnore: true */ process.cwd(), file), {
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 8 },
    })
    worker.unref()
    const thread: Thread = { worker, cpuMicros: 0, key: null }
    const forget = () => {
      if (pool.thread === opened) pool.thread = null
    }
    const opened = replyOf(thread).then((reply) => {
      if (!reply) throw new Error(`The ${name} did not begin.`)
      return thread
    })
    worker.on('error', forget)
    worker.once('exit', forget)
    return opened
  }

  /** The thread's next answer, with which its processor time is known; null when it has ended. */
  function replyOf(thread: Thread): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const end = () => resolve(null)
      const { worker } = thread
      worker.once('exit', end)
      worker.once('error', end) // such as too little memory
      worker.once('message', ({ cpuMicros, result, failed }: Reply) => {
        worker.off('exit', end)
        worker.off('error', end)
        thread.cpuMicros = cpuMicros
        if (failed === undefined) resolve(result)
        else reject(new Error(failed))
      })
    })
  }

  async function carryOut<One extends R>(task: Task, limitMs: number): Promise<Outcome<One>> {
    const thread = await threadOf()
    const { worker } = thread
    const before = thread.cpuMicros
    const answer = replyOf(thread)
    worker.ref()
    worker.postMessage(task)
    const spent = async () => {
      const { user, system } = await worker.cpuUsage()
      return (user + system - before) / 1000
    }
    let ms = limitMs
    let isLooking = false
    const watch = setInterval(() => {
      if (isLooking) return
      isLooking = true
      spent().then(
        (now) => {
          isLooking = false
          if (now > limitMs) void worker.terminate()
        },
        () => undefined, // it has ended
      )
    }, LOOK_MS)
    try {
      const reply = await answer
      if (reply) ms = (thread.cpuMicros - before) / 1000
      else pool.thread = null
      return { reply: ms > limitMs ? null : (reply as One | null), ms } // the thread answers each task by its own kind
    } finally {
      clearInterval(watch)
      worker.unref()
    }
  }

  return { inTurn, carryOut, current: threadOf }
}
