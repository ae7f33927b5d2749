import { AppError } from '../../core/errors.ts'
import { asOrganization, rowsOfEach } from '../../db/rows-of-each.ts'
import type { Actor } from '../../platform/auth/context.ts'
import { findEndedKeys, unauthenticated } from '../../platform/auth/find-key.ts'
import { longPoll, type Waiter } from '../../platform/http/long-poll.ts'
import { type Place, readCall } from './read-events.ts'

/** The events that a listener waits for: those of an organization after a place. */
export type Waited = { organizationId: string; after: Place; limit: number }
/** The rows that were read. */
type EventRows = readonly object[]
type Listener = Waiter<Waited & { actor: Actor }, EventRows>

const MOST_OF_KEY = 5
/** An organization may have any number of keys, and others wait beside it. */
const MOST_OF_ORGANIZATION = 50
const MOST = 200

/** Who waits in this process. */
const listening = longPoll<Waited & { actor: Actor }, EventRows>('events', askForAll)

/**
 * Waits until an organization has events, at most so long; the rows as `read_events` gives them, or null. The process
 * asks once for all listeners, and none has a connection meanwhile. The bound of listeners counts by `actor`; one whose
 * API key ends meanwhile is refused. Throws `rate_limited`, `overloaded` and `unauthenticated`.
 */
export function waitForEvents(
  actor: Actor,
  waited: Waited,
  seconds: number,
  signal: AbortSignal | undefined,
): Promise<EventRows | null> {
  const { waiters } = listening
  const ofOrganization = [...waiters].filter((each) => each.organizationId === waited.organizationId)
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
  if (waiters.size >= MOST)
    throw new AppError('overloaded', 'Too many wait for events right now. Try again in a moment.', {
      retryAfterSeconds: seconds,
    })
  return listening.wait({ ...waited, actor }, seconds, signal)
}

const idOf = (actor: Actor): string => ('id' in actor ? actor.id : '')

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
  await refuseEnded(listeners)
  const found = await rowsOfEach(asked)
  for (const [at, group] of groups.entries()) {
    const rows = found[at]![0]!
    if (rows[0]!.id !== null) for (const listener of group) listener.end(rows)
  }
}

async function refuseEnded(listeners: readonly Listener[]): Promise<void> {
  const keys = new Set(listeners.flatMap(({ actor }) => (actor.type === 'api_key' ? [actor.id] : [])))
  const ended = keys.size > 0 ? await findEndedKeys([...keys]) : new Set<string>()
  for (const listener of listeners) if (ended.has(idOf(listener.actor))) listener.end(null, unauthenticated())
}
