import { AppError } from './errors.ts'

/** How orders are carried out together. */
export type Together<T, R> = {
  /** Orders of the same key go together, in the order in which they came. */
  key: string
  /** At most so many in one batch. */
  most: number
  /** At most so many wait for their batch; further ones are refused. */
  waiting: number
  /** Gives the result of each order, in order. Where it throws, it has done nothing. */
  work: (orders: readonly T[]) => Promise<readonly R[]>
  /** Whether a failure of a batch is about none of its orders, so that all of them fail by it. */
  isShared: (error: unknown) => boolean
}

type Waiting = { order: unknown; resolve: (result: never) => void; reject: (error: unknown) => void }

// Of this evaluation of lib alone: the work throws errors that are told apart by their class.
const queues = new Map<string, Waiting[]>()

/**
 * Carries an order out together with others of its key: a batch takes what came while the batch before it ran, and the first one what comes
 * before the event loop goes on. A batch that fails is tried again in halves until the order at fault is alone, which fails alone. Throws
 * `unavailable` when too many wait.
 */
export function carryOutTogether<T, R>(together: Together<T, R>, order: T): Promise<R> {
  const queue = queues.get(together.key)
  if (queue && queue.length >= together.waiting)
    return Promise.reject(
      new AppError('unavailable', 'Too many ask for the same thing right now. Try again in a moment.', {
        retryAfterSeconds: 1,
      }),
    )
  return new Promise<R>((resolve, reject) => {
    const entry: Waiting = { order, resolve, reject }
    if (queue) return void queue.push(entry)
    queues.set(together.key, [entry])
    setImmediate(() => void emptyQueue(together))
  })
}

async function emptyQueue<T, R>(together: Together<T, R>): Promise<void> {
  const queue = queues.get(together.key)!
  while (queue.length > 0) await carryOut(together, queue.splice(0, together.most))
  queues.delete(together.key)
}

async function carryOut<T, R>(together: Together<T, R>, batch: readonly Waiting[]): Promise<void> {
  try {
    const results = await together.work(batch.map(({ order }) => order as T))
    for (const [at, { resolve }] of batch.entries()) resolve(results[at] as never)
  } catch (error) {
    if (batch.length === 1 || together.isShared(error)) {
      for (const { reject } of batch) reject(error)
      return
    }
    const half = Math.ceil(batch.length / 2)
    await carryOut(together, batch.slice(0, half))
    await carryOut(together, batch.slice(half))
  }
}
