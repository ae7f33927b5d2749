import { createHash, randomBytes } from 'node:crypto'
import { HOUR, now, secondsFrom } from '../../core/clock.ts'
import { env } from '../../core/env.ts'
import { keyFor } from '../../core/secrets.ts'
import { systemClient } from '../../db/client.ts'
import { workerContext } from './authenticate.ts'
import type { WorkerContext } from './context.ts'

/** How long a mailed sign-in link is valid. */
export const SIGN_IN_SECONDS = HOUR
/** How long a link is valid that the installation's operator created. */
const OPERATOR_LINK_SECONDS = 24 * HOUR

/** The secret that next-auth hashes its tokens with. */
export const signInSecret = (): string => env.NEXTAUTH_SECRET || keyFor('sign-in').toString('hex')

const hashOf = (token: string): string =>
  createHash('sha256')
    .update(token + signInSecret())
    .digest('hex')

/** Sign-in comes before any organization: its mail belongs to none. */
export const signInContext = (): WorkerContext => workerContext('sign-in')

export const emailOf = (text: string): string => text.trim().toLowerCase()

/** A link that signs a person in once and opens the dashboard, in the given organization if any. Only its token's hash is stored. */
export async function createSignInLink(
  email: string,
  lifetimeSeconds: number = OPERATOR_LINK_SECONDS,
  organizationId?: string,
): Promise<string> {
  const identifier = emailOf(email)
  const token = randomBytes(32).toString('hex')
  await systemClient().verificationToken.deleteMany({ where: { identifier, expires: { lt: now() } } })
  await systemClient().verificationToken.create({
    data: { identifier, token: hashOf(token), expires: secondsFrom(now(), lifetimeSeconds) },
  })
  const query = new URLSearchParams({
    callbackUrl: `${env.ORIGIN}/dashboard`,
    token,
    email: identifier,
    ...(organizationId && { organization: organizationId }),
  })
  return `${env.ORIGIN}/api/auth/callback/email?${query}`
}

/** Whether the address belongs to a member, invited or joined, of any organization. */
export async function isMember(email: string): Promise<boolean> {
  const user = await systemClient().user.findUnique({ where: { email: emailOf(email) } })
  return (
    user !== null && (await systemClient().member.findFirst({ where: { userId: user.id, removedAt: null } })) !== null
  )
}

/** Ends a session; its cookie is no longer accepted. */
export async function endSession(sessionToken: string): Promise<void> {
  await systemClient().session.deleteMany({ where: { sessionToken } })
}
