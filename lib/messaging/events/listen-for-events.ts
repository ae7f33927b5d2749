import type { Input, Output } from '../../platform/api/endpoint.ts'
import type { listenForEvents as endpoint } from '../../platform/api/event-log.ts'
import type { Context } from '../../platform/auth/context.ts'
import { waitForEvents } from './listeners.ts'
import { eventsIn, placeOf, readCall } from './read-events.ts'

/** The organization's events after a cursor; waits for one where there is none. Throws `invalid_cursor`. */
export async function listenForEvents(
  ctx: Context,
  { after: cursor, wait, limit }: Input<typeof endpoint>['query'],
): Promise<Output<typeof endpoint>> {
  const { organizationId } = ctx
  const after = cursor ? placeOf(cursor, organizationId) : null
  const { statement, values } = readCall(organizationId, after, limit)
  const found = eventsIn(await ctx.rows<object>(statement, ...values), organizationId, after, limit)
  if (found.results.length > 0 || wait === 0) return found

  ctx.endTurn?.()
  const waited = { organizationId, after: placeOf(found.cursor, organizationId), limit }
  const rows = await waitForEvents(ctx.actor, waited, wait, ctx.signal)
  return rows ? eventsIn(rows, organizationId, waited.after, limit) : found
}
