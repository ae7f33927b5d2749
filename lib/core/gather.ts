/** Collects what is given before the event loop goes on, and hands it to `send` together. */
export function gather<T>(send: (all: readonly T[]) => void): (one: T) => void {
  let waiting: T[] = []
  return (one) => {
    if (waiting.push(one) > 1) return
    setImmediate(() => {
      const all = waiting
      waiting = []
      send(all)
    })
  }
}
