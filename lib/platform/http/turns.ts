import type { ServerResponse } from 'node:http'
import { AppError } from '../../core/errors.ts'

/** One request in work. Ending it again does nothing. */
export type Turn = { end: () => void }

/** How long a request waits for its turn before it is refused. */
const MAX_WAIT_MS = 10_000
const RETRY_SECONDS = 2

const overloaded = () =>
  new AppError('overloaded', 'Too many requests are in work right now. Nothing was changed. Try again in a moment.', {
    retryAfterSeconds: RETRY_SECONDS,
  })

/**
 * Bounds the requests that a process works on. At most `atOnce` have a turn and `waiting` wait for one, in the order
 * they came; a further one is refused at once, and one that has waited 10 seconds too. `atOnce` 0: no bound.
 */
export function turns({ atOnce, waiting }: { atOnce: number; waiting: number }): () => Promise<Turn> {
  let taken = 0
  const line = new Set<() => void>()
  const begin = (): Turn => {
    taken++
    let ended = false
    return {
      end() {
        if (ended) return
        ended = true
        taken--
        const [next] = line
        next?.()
      },
    }
  }
  return async () => {
    if (atOnce === 0) return FREE
    if (taken < atOnce) return begin()
    if (line.size >= waiting) throw overloaded()
    return new Promise((resolve, reject) => {
      const proceed = () => {
        line.delete(proceed)
        clearTimeout(timer)
        resolve(begin())
      }
      const timer = setTimeout(() => {
        line.delete(proceed)
        reject(overloaded())
      }, MAX_WAIT_MS)
      line.add(proceed)
    })
  }
}

/** For what takes no turn. */
export const FREE: Turn = { end: () => undefined }

/** Ends a turn when the head of the answer is written: from then on the client's own pace counts. */
export function endWithHead(response: ServerResponse, turn: Turn): void {
  const writeHead = response.writeHead.bind(response)
  response.writeHead = ((...given: Parameters<ServerResponse['writeHead']>) => {
    turn.end()
    return writeHead(...given)
  }) as ServerResponse['writeHead'] // the method is overloaded
}
