import { now } from '../../core/clock.ts'
import { AppError } from '../../core/errors.ts'
import { systemClient } from '../../db/client.ts'
import type { Context } from './context.ts'

// Sessions belong to a person, who may be a member of several organizations: they are read with the system client.

export type ShownSession = {
  id: string
  signedInAt: Date
  lastUsedAt: Date | null
  clientAddress: string | null
  userAgent: string | null
  /** The one that asks. */
  isCurrent: boolean
}

/** The person behind a session. An API key reaches no sessions and no passkeys. */
export function signedIn({ actor }: Context) {
  if (actor.type !== 'member') throw new AppError('forbidden', 'Only somebody signed in to the dashboard can do this.')
  return actor
}

/** The running sessions of the person signed in, newest first. */
export async function listSessions(ctx: Context): Promise<ShownSession[]> {
  const { userId, session } = signedIn(ctx)
  const rows = await systemClient().session.findMany({
    where: { userId, expires: { gt: now() } },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    omit: { tokenHash: true },
  })
  return rows.map(({ id, createdAt, lastUsedAt, clientAddress, userAgent }) => ({
    id,
    signedInAt: createdAt,
    lastUsedAt,
    clientAddress,
    userAgent,
    isCurrent: id === session.id,
  }))
}
