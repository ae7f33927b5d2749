import { AppError } from './errors.ts'
import { type Batch, inHalves } from './in-halves.ts'

/** How orders are carried out together. */
export type Together<T, R> = Batch<T, R> & {
  /** Orders of the same key go together, in the order in which they came. */
  key: string
  /** At most so many in one batch. */
  most: number
  /** At most so many wait for their batch; further ones are refused. */
  waiting: number
}

type Waiting = { order: unknown; resolve: (result: never) => void; reject: (error: unknown) => void }

// Of this evaluation of lib alone: the work throws errors that are told apart by their class.
const queues = new Map<string, Waiting[]>()

/**
 * Carries an order out together with others of its key: a batch takes what came while the batch before it ran, and the
 * first one what comes before the event loop goes on. An order at fault fails alone (`inHalves`). Throws `unavailable`
 * when too many wait.
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
  while (queue.length > 0) {
    const batch = queue.splice(0, together.most)
    const results = inHalves(
      together,
      batch.map(({ order }) => order as T),
    )
    await Promise.all(
      results.map((result, at) => result.then(batch[at]!.resolve as (result: R) => void, batch[at]!.reject)),
    )
  }
  queues.delete(together.key)
}
