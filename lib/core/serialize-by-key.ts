const last = new Map<string, Promise<unknown>>()

/**
 * Runs works of one key one after another within this process. Right and wrong is the database's business; this only keeps a
 * burst at one row from taking every connection just to wait for that row's lock.
 */
export function serializeByKey<T>(key: string, work: () => Promise<T>): Promise<T> {
  const turn = (last.get(key) ?? Promise.resolve()).then(work, work)
  last.set(key, turn)
  const leave = () => {
    if (last.get(key) === turn) last.delete(key)
  }
  turn.then(leave, leave)
  return turn
}
