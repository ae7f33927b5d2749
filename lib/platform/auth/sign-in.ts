import { createHash, randomBytes } from 'node:crypto'
import { HOUR, now, secondsFrom } from '../../core/clock.ts'
import { env } from '../../core/env.ts'
import { keyFor } from '../../core/secrets.ts'
import { systemClient } from '../../db/client.ts'
import { workerContext } from './authenticate.ts'
import type { WorkerContext } from './context.ts'

/** How long a link that was mailed may wait; one that an operator asked for lives a day. */
export const SIGN_IN_SECONDS = HOUR
const OPERATOR_SECONDS = 24 * HOUR

/** What next-auth hashes its tokens with. */
export const signInSecret = (): string => env.NEXTAUTH_SECRET || keyFor('sign-in').toString('hex')

const hashOf = (token: string): string =>
  createHash('sha256')
    .update(token + signInSecret())
    .digest('hex')

/** Sign-in comes before any organization: its mail belongs to none. */
export const signInContext = (): WorkerContext => workerContext('sign-in')

export const emailOf = (text: string): string => text.trim().toLowerCase()

/** A link that signs this person in once and lands on the dashboard, in the given organization if there is one. Only its hash is kept. */
export async function createSignInLink(
  email: string,
  lifeSeconds: number = OPERATOR_SECONDS,
  organizationId?: string,
): Promise<string> {
  const identifier = emailOf(email)
  const token = randomBytes(32).toString('hex')
  await systemClient().verificationToken.deleteMany({ where: { identifier, expires: { lt: now() } } })
  await systemClient().verificationToken.create({
    data: { identifier, token: hashOf(token), expires: secondsFrom(now(), lifeSeconds) },
  })
  const query = new URLSearchParams({
    callbackUrl: `${env.ORIGIN}/dashboard`,
    token,
    email: identifier,
    ...(organizationId && { organization: organizationId }),
  })
  return `${env.ORIGIN}/api/auth/callback/email?${query}`
}

/** Only people whom an organization knows may come in: those who were removed from their last one don't. */
export async function isMember(email: string): Promise<boolean> {
  const user = await systemClient().user.findUnique({ where: { email: emailOf(email) } })
  return (
    user !== null && (await systemClient().member.findFirst({ where: { userId: user.id, removedAt: null } })) !== null
  )
}

/** Ends a session: its cookie is worth nothing afterwards. */
export async function endSession(sessionToken: string): Promise<void> {
  await systemClient().session.deleteMany({ where: { sessionToken } })
}
