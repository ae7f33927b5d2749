import { oncePerProcess } from '../../core/once-per-process.ts'

/** How often the database is asked for all who wait for things of a kind. */
const POLL_MS = 1_000

/** One who waits: for what, and how to answer. Answering again does nothing. */
export type Waiter<Waited, Found> = Waited & { end: (found: Found | null, error?: Error) => void }
/** Those who wait for one kind of thing in this process. */
type Line<Waited, Found> = { waiters: Set<Waiter<Waited, Found>>; isPolling: boolean }

const polls = oncePerProcess('long polls', () => ({
  lines: new Map<string, Line<object, unknown>>(),
  ending: undefined as AbortSignal | undefined,
}))

/**
 * Lets requests wait without a turn and without a connection. While anybody waits, `ask` is called once a second for
 * all of them together and answers those for whom something was found.
 */
export function longPoll<Waited extends object, Found>(
  name: string,
  ask: (waiters: readonly Waiter<Waited, Found>[]) => Promise<void>,
) {
  const line = (polls.lines.get(name) ?? { waiters: new Set(), isPolling: false }) as unknown as Line<Waited, Found>
  polls.lines.set(name, line as unknown as Line<object, unknown>)

  async function poll(): Promise<void> {
    if (line.isPolling) return
    line.isPolling = true
    while (line.waiters.size > 0) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
      const waiters = [...line.waiters]
      await ask(waiters).catch((error: unknown) => {
        for (const waiter of waiters) waiter.end(null, error as Error)
      })
    }
    line.isPolling = false
  }

  /**
   * Waits at most so many seconds and gives what was found. null: nothing was, the client has gone, or the process
   * stops.
   */
  function wait(waited: Waited, seconds: number, signal: AbortSignal | undefined): Promise<Found | null> {
    if (polls.ending?.aborted || signal?.aborted) return Promise.resolve(null)
    return new Promise((resolve, reject) => {
      const waiter: Waiter<Waited, Found> = {
        ...waited,
        end(found, error) {
          clearTimeout(timer)
          signal?.removeEventListener('abort', stop)
          line.waiters.delete(waiter)
          if (error === undefined) resolve(found)
          else reject(error)
        },
      }
      const stop = () => waiter.end(null)
      const timer = setTimeout(stop, seconds * 1000)
      signal?.addEventListener('abort', stop)
      line.waiters.add(waiter)
      void poll()
    })
  }

  return { waiters: line.waiters as ReadonlySet<Waiter<Waited, Found>>, wait }
}

/** Once the signal is aborted, since the process stops, all who wait are answered and nobody waits any more. */
export function endLongPollsAt(signal: AbortSignal): void {
  polls.ending = signal
  signal.addEventListener('abort', () => {
    for (const { waiters } of polls.lines.values()) for (const waiter of waiters) waiter.end(null)
  })
}
