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

/** The person behind a session. An API key can neither see nor end sessions. */
function signedIn({ actor }: Context) {
  if (actor.type !== 'member') throw new AppError('forbidden', 'Only somebody signed in to the dashboard has sessions.')
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

/** Ends one session of the person signed in; nothing when it is another person's or has ended. */
export async function endOwnSession(ctx: Context, id: string): Promise<void> {
  await systemClient().session.deleteMany({ where: { id, userId: signedIn(ctx).userId } })
}

/** Ends every session of the person signed in but the one that asks. */
export async function endOtherSessions(ctx: Context): Promise<void> {
  const { userId, session } = signedIn(ctx)
  await systemClient().session.deleteMany({ where: { userId, id: { not: session.id } } })
}
