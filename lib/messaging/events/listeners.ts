import { AppError } from '../../core/errors.ts'
import { oncePerProcess } from '../../core/once-per-process.ts'
import { asOrganization, rowsOfEach } from '../../db/rows-of-each.ts'
import type { Actor } from '../../platform/auth/context.ts'
import { findEndedKeys, unauthenticated } from '../../platform/auth/find-key.ts'
import { type Place, readCall } from './read-events.ts'

/** What a listener waits for: events of an organization after a place. */
export type Waited = { organizationId: string; after: Place; limit: number }
/** The rows that were read, or none where nothing came in time. */
type Found = readonly object[] | null
type Listener = Waited & { actor: Actor; end: (found: Found, error?: Error) => void }

/** How often the database is asked for all listeners of a process together. */
const POLL_MS = 1_000
const MOST_OF_KEY = 5
/** An organization may have any number of keys, and others wait beside it. */
const MOST_OF_ORGANIZATION = 50
const MOST = 200

type State = { listeners: Set<Listener>; isPolling: boolean; ending: AbortSignal | undefined }
/** Who waits in this process. */
const waiting = oncePerProcess<State>('event listeners', () => ({
  listeners: new Set(),
  isPolling: false,
  ending: undefined,
}))

/**
 * Waits until an organization has events, at most so long; the rows as `read_events` gives them, or null. The process asks once for all
 * listeners, and none has a connection meanwhile. The bound of listeners counts by `actor`; one whose API key ends meanwhile is refused.
 * Throws `rate_limited`, `overloaded` and `unauthenticated`.
 */
export function waitForEvents(
  actor: Actor,
  waited: Waited,
  seconds: number,
  signal: AbortSignal | undefined,
): Promise<Found> {
  const { listeners } = waiting
  if (waiting.ending?.aborted || signal?.aborted) return Promise.resolve(null)
  const ofOrganization = [...listeners].filter((each) => each.organizationId === waited.organizationId)
  if (ofOrganization.filter((each) => idOf(each.actor) === idOf(actor)).length >= MOST_OF_KEY)
    throw new AppError('rate_limited', `This key waits for events ${MOST_OF_KEY} times already.`, {
      retryAfterSeconds: seconds,
    })
  if (ofOrganization.length >= MOST_OF_ORGANIZATION)
    throw new AppError(
      'rate_limited',
      `This organization waits for events ${MOST_OF_ORGANIZATION} times already. Wait fewer times at once.`,
      { retryAfterSeconds: seconds },
    )
  if (listeners.size >= MOST)
    throw new AppError('overloaded', 'Too many wait for events right now. Try again in a moment.', {
      retryAfterSeconds: seconds,
    })
  return new Promise((resolve, reject) => {
    const listener: Listener = {
      ...waited,
      actor,
      end(found, error) {
        clearTimeout(timer)
        signal?.removeEventListener('abort', stop)
        listeners.delete(listener)
        if (error === undefined) resolve(found)
        else reject(error)
      },
    }
    const stop = () => listener.end(null)
    const timer = setTimeout(stop, seconds * 1000)
    signal?.addEventListener('abort', stop)
    listeners.add(listener)
    void poll()
  })
}

const idOf = (actor: Actor): string => ('id' in actor ? actor.id : '')

/** Once the signal is aborted, since the process stops, all listeners are answered and nobody waits any more. */
export function endListenersAt(signal: AbortSignal): void {
  waiting.ending = signal
  signal.addEventListener('abort', () => {
    for (const listener of waiting.listeners) listener.end(null)
  })
}

/** Asks until nobody waits any more. */
async function poll(): Promise<void> {
  if (waiting.isPolling) return
  waiting.isPolling = true
  while (waiting.listeners.size > 0) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    await askForAll([...waiting.listeners])
  }
  waiting.isPolling = false
}

/** One round trip. Those who wait for the same share an answer. */
async function askForAll(listeners: readonly Listener[]): Promise<void> {
  const groups = [
    ...Map.groupBy(listeners, ({ organizationId, after: { position, id }, limit }) =>
      [organizationId, position, id, limit].join(' '),
    ).values(),
  ]
  const asked = groups.map((group) => {
    const { organizationId, after, limit } = group[0]!
    return { as: asOrganization(organizationId), calls: [readCall(organizationId, after, limit)] }
  })
  try {
    await refuseEnded(listeners)
    const found = await rowsOfEach(asked)
    for (const [at, group] of groups.entries()) {
      const rows = found[at]![0]!
      if (rows[0]!.id !== null) for (const listener of group) listener.end(rows)
    }
  } catch (error) {
    for (const listener of listeners) listener.end(null, error as Error)
  }
}

async function refuseEnded(listeners: readonly Listener[]): Promise<void> {
  const keys = new Set(listeners.flatMap(({ actor }) => (actor.type === 'api_key' ? [actor.id] : [])))
  const ended = keys.size > 0 ? await findEndedKeys([...keys]) : new Set<string>()
  for (const listener of listeners) if (ended.has(idOf(listener.actor))) listener.end(null, unauthenticated())
}
