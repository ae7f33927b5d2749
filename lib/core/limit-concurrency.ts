/** A function that runs at most `max` works of this process at once; others wait in the order they came. */
export function limitConcurrency(max: number): <T>(work: () => Promise<T>) => Promise<T> {
  let free = max
  const waiting: (() => void)[] = []
  return async (work) => {
    if (free > 0) free--
    else await new Promise<void>((start) => waiting.push(start))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }
}
