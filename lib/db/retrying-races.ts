import { isTransactionConflict } from './errors.ts'
import { written } from './written.ts'

const RETRIES = 5

/** Runs a transaction; deadlocks and serialization failures are tried again. */
export async function retryingRaces<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (tries >= RETRIES || !isTransactionConflict(error)) throw error
    }
  }
}

/** As `retryingRaces`, for a transaction that may write what the worker has to do. */
export async function writing<T>(work: () => Promise<T>): Promise<T> {
  const result = await retryingRaces(work)
  written()
  return result
}
