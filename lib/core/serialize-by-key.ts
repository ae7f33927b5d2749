import { oncePerProcess } from './once-per-process.ts'

const last = oncePerProcess('works by key', () => new Map<string, Promise<unknown>>())

/**
 * Runs works of one key one after another within this process. Correctness is left to the database's row locks; this
 * only prevents a burst on one row from occupying every connection while waiting for that row's lock.
 */
export function serializeByKey<T>(key: string, work: () => Promise<T>): Promise<T> {
  const turn = (last.get(key) ?? Promise.resolve()).then(work, work)
  last.set(key, turn)
  const cleanUp = () => {
    if (last.get(key) === turn) last.delete(key)
  }
  turn.then(cleanUp, cleanUp)
  return turn
}
