/** A batch that fails as a whole where one of its orders is at fault. */
export type Batch<T, R> = {
  /** Gives the result of each order, in order. Where it throws, it has done nothing. */
  work: (orders: readonly T[]) => Promise<readonly R[]>
  /** Whether a failure is about none of the orders, so that all of them fail by it. */
  isShared: (error: unknown) => boolean
}

/**
 * Carries out a batch; one that fails is tried again in halves until the order at fault is alone, which fails alone.
 * Gives a promise of each order's result, in order, which settles once its half is done. The caller must handle each of
 * them.
 */
export function inHalves<T, R>(batch: Batch<T, R>, orders: readonly T[]): Promise<R>[] {
  const entries = orders.map((order) => ({ order, ...Promise.withResolvers<R>() }))
  void carryOut(batch, entries)
  return entries.map(({ promise }) => promise)
}

type Entry<T, R> = PromiseWithResolvers<R> & { order: T }

async function carryOut<T, R>(batch: Batch<T, R>, entries: readonly Entry<T, R>[]): Promise<void> {
  if (entries.length === 0) return
  try {
    const results = await batch.work(entries.map(({ order }) => order))
    for (const [at, { resolve }] of entries.entries()) resolve(results[at]!)
  } catch (error) {
    if (entries.length === 1 || batch.isShared(error)) {
      for (const { reject } of entries) reject(error)
      return
    }
    const half = Math.ceil(entries.length / 2)
    await carryOut(batch, entries.slice(0, half))
    await carryOut(batch, entries.slice(half))
  }
}
