import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { AppError, type FieldError } from '../../core/errors.ts'
import { oncePerProcess } from '../../core/once-per-process.ts'
import type { Context } from '../../platform/auth/context.ts'
import { countTime } from '../../platform/http/rate-limit.ts'
import type { Faults, Schema } from './compile-schema.ts'
import type { Reply, Row, Task } from './schema-thread.ts'

// Schemas that may take long are checked in one thread of the process, with limits of processor time and memory. It takes one row after
// the other, in turn for all organizations: whoever has slow rows waits for their own. The time counts as requests of the key.

const ROW_MS = 250
/** Compiling a schema is no row's fault. */
const COMPILE_MS = 2_000
const MEMORY_MB = 64
const LOOK_MS = 20
/** Rows and schemas of one organization that may wait. */
const MOST_WAITING = 100
/** Rows that the thread is given at once. It tells earlier of those that are done. */
const ROWS_AT_ONCE = 50

type Result<K extends Reply['kind']> = Extract<Reply, { kind: K }>
/** What a check took, in milliseconds of processor time. `reply` is null where it took too long, or too much memory. */
type Outcome<K extends Reply['kind']> = { reply: Result<K> | null; ms: number }

/** Whose checks these are. */
type Owner = Pick<Context, 'organizationId' | 'actor'>
type Waiting = { run: () => Promise<void> }
type Thread = { worker: Worker; cpuMicros: number; key: string | null }
type Pool = { thread: Promise<Thread> | null; waiting: Map<string, Waiting[]>; isRunning: boolean }

const pool = oncePerProcess('schema thread', (): Pool => ({ thread: null, waiting: new Map(), isRunning: false }))

/** A schema's faults by its draft; null where finding them takes too long. */
export async function schemaFaultsInThread(owner: Owner, schema: Schema): Promise<FieldError[] | null> {
  const { reply } = await inTurn(owner, () => carryOut<'schema'>({ kind: 'schema', schema }, COMPILE_MS))
  return reply?.faults ?? null
}

/**
 * The faults of the first rows, until `budget` is used up; null for a row that takes more than 250 ms or too much memory. The processor time is
 * taken from `budget`.
 */
export async function faultsInThread(
  owner: Owner,
  schema: { key: string; schema: Schema },
  rows: readonly Row[],
  budget: { ms: number },
): Promise<(Faults | null)[]> {
  const found: (Faults | null)[] = []
  let atOnce = ROWS_AT_ONCE
  while (found.length < rows.length && budget.ms > 0) {
    const next = rows.slice(found.length, found.length + atOnce)
    const { reply, ms } = await inTurn(owner, () => checkRows(schema, next))
    budget.ms -= ms
    if (reply) found.push(...reply.faults)
    else if (next.length === 1) found.push(null)
    // One of them is slow: each is given alone.
    atOnce = reply && atOnce > 1 ? ROWS_AT_ONCE : 1
  }
  return found
}

async function checkRows(
  { key, schema }: { key: string; schema: Schema },
  rows: readonly Row[],
): Promise<Outcome<'check'>> {
  let spent = 0
  if ((await threadOf()).key !== key) {
    const { reply, ms } = await carryOut<'compile'>({ kind: 'compile', schema }, COMPILE_MS)
    if (!reply) return { reply: null, ms }
    const thread = await threadOf()
    thread.key = key
    spent = ms
  }
  const { reply, ms } = await carryOut<'check'>({ kind: 'check', rows }, ROW_MS)
  return { reply, ms: spent + ms }
}

/** Carries out `work` when it is its owner's turn. Throws `overloaded` where too much of the owner waits. */
async function inTurn<T extends { ms: number }>({ organizationId, actor }: Owner, work: () => Promise<T>): Promise<T> {
  const mine = pool.waiting.get(organizationId) ?? []
  if (mine.length >= MOST_WAITING)
    throw new AppError('overloaded', 'Too many slow checks of this organization’s item types wait.', {
      retryAfterSeconds: 5,
    })
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
  const file = path.join(/* turbopackIgnore: true */ process.cwd(), 'lib/catalog/item-types/schema-thread.ts')
  const worker = new Worker(file, {
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB, maxYoungGenerationSizeMb: 8 },
  })
  worker.unref()
  const thread: Thread = { worker, cpuMicros: 0, key: null }
  const forget = () => {
    if (pool.thread === opened) pool.thread = null
  }
  const opened = replyOf<'ready'>(thread).then((reply) => {
    if (!reply) throw new Error('The thread that checks by schemas did not begin.')
    return thread
  })
  worker.on('error', forget)
  worker.once('exit', forget)
  return opened
}

/** The thread's next answer, with which its processor time is known; null when it has ended. */
function replyOf<K extends Reply['kind']>(thread: Thread): Promise<Result<K> | null> {
  return new Promise((resolve, reject) => {
    const end = () => resolve(null)
    const { worker } = thread
    worker.once('exit', end)
    worker.once('error', end) // such as too little memory
    worker.once('message', (reply: Reply) => {
      worker.off('exit', end)
      worker.off('error', end)
      thread.cpuMicros = reply.cpuMicros
      if (reply.kind === 'failed') reject(new Error(reply.message))
      else resolve(reply as Result<K>)
    })
  })
}

/** Has the thread carry out a task, and ends the thread when that takes more than so many milliseconds of its processor time. */
async function carryOut<K extends Reply['kind']>(task: Task, limitMs: number): Promise<Outcome<K>> {
  const thread = await threadOf()
  const { worker } = thread
  const before = thread.cpuMicros
  const answer = replyOf<K>(thread)
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
    if (reply) ms = (reply.cpuMicros - before) / 1000
    else pool.thread = null
    return { reply: ms > limitMs ? null : reply, ms }
  } finally {
    clearInterval(watch)
    worker.unref()
  }
}
