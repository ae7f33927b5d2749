import { createHash } from 'node:crypto'
import { DAY, now } from '../../core/clock.ts'
import { systemClient } from '../../db/client.ts'

export const SESSION_SECONDS = 30 * DAY

/** The browser that signs in. */
export type Browser = {
  clientAddress: string
  userAgent: string | null
  /** The token of its session, which a sign-in ends: every sign-in makes a new one. */
  replaces: string | undefined
}

type NewSession = {
  sessionToken: string
  userId: string
  expires: Date
  /** The passkey that signed in, if one did. */
  passkeyId?: string
}

/**
 * Sessions are stored under this hash of their token, so that nobody can sign in with what the database or a backup
 * holds.
 */
export const sessionHash = (token: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(createHash('sha256').update(token).digest())

/** Stores the session of somebody who has signed in, in place of the browser's old one. */
export async function createSession(
  { sessionToken, ...session }: NewSession,
  { clientAddress, userAgent, replaces }: Browser,
): Promise<void> {
  const db = systemClient()
  const by = { clientAddress, userAgent: userAgent?.slice(0, 500) ?? null }
  await db.$transaction([
    db.session.deleteMany({ where: { tokenHash: sessionHash(replaces ?? '') } }),
    db.session.create({ data: { ...session, ...by, tokenHash: sessionHash(sessionToken), createdAt: now() } }),
  ])
}
