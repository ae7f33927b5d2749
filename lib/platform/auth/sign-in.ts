import { createHash, randomBytes } from 'node:crypto'
import { HOUR, now, secondsFrom } from '../../core/clock.ts'
import { env } from '../../core/env.ts'
import { serverKeys } from '../../core/server-keys.ts'
import { systemClient } from '../../db/client.ts'
import type { Db } from '../../db/scope.ts'
import { sessionHash } from './create-session.ts'

/** How long a mailed sign-in link is valid. */
export const SIGN_IN_SECONDS = HOUR
/** How long a link is valid that the installation's operator created. */
const OPERATOR_LINK_SECONDS = 24 * HOUR

/**
 * The secrets that next-auth may hash its tokens with: without NEXTAUTH_SECRET one of each server key, the newest
 * first.
 */
const signInSecrets = (): string[] =>
  env.NEXTAUTH_SECRET
    ? [env.NEXTAUTH_SECRET]
    : serverKeys().map((key) => key.derive('sign-in/v1').export().toString('hex'))

/** The one that makes new tokens. */
export const signInSecret = (): string => signInSecrets()[0]!

const hashOf = (token: string, secret = signInSecret()): string =>
  createHash('sha256')
    .update(token + secret)
    .digest('hex')

/**
 * The secret that a link's token was hashed with: next-auth knows one only, and the server key may have been replaced
 * since.
 */
export async function secretOfLink(token: string): Promise<string> {
  const [newest, ...earlier] = signInSecrets()
  for (const secret of earlier) {
    const where = { token: hashOf(token, secret) }
    if (await systemClient().verificationToken.findFirst({ where, select: { token: true } })) return secret
  }
  return newest!
}

export const emailOf = (text: string): string => text.trim().toLowerCase()

type LinkOptions = {
  lifetimeSeconds?: number
  /** Which organization the dashboard shows. */
  organizationId?: string | undefined
  /** The path of the dashboard that is opened after signing in. */
  returnTo?: string | undefined
  /** Writes the token in the caller's transaction. */
  db?: Pick<Db, 'verificationToken'>
}

/**
 * A link to the page whose button signs a person in, once, and opens the dashboard. Only its token's hash is stored.
 * Opening the link uses nothing up, since mail scanners open links too.
 */
export async function createSignInLink(
  email: string,
  { lifetimeSeconds = OPERATOR_LINK_SECONDS, organizationId, returnTo, db = systemClient() }: LinkOptions = {},
): Promise<string> {
  const identifier = emailOf(email)
  const token = randomBytes(32).toString('hex')
  await db.verificationToken.create({
    data: { identifier, token: hashOf(token), expires: secondsFrom(now(), lifetimeSeconds) },
  })
  const query = new URLSearchParams({
    callbackUrl: `${env.ORIGIN}${dashboardPathOf(returnTo)}`,
    token,
    email: identifier,
    ...(organizationId && { organization: organizationId }),
  })
  return `${env.ORIGIN}${CONFIRM_PATH}?${query}`
}

/** The page that a sign-in link opens, and where its button posts the link's query to. */
export const CONFIRM_PATH = '/sign-in/confirm'
export const CALLBACK_PATH = '/api/auth/callback/email'

/** The path if it is one of the dashboard, else the dashboard's first page. */
export const dashboardPathOf = (path: string | undefined): string =>
  path !== undefined && /^\/dashboard(?:[/?]|$)/.test(path) ? path : '/dashboard'

/** Whether the address belongs to a member, invited or joined, of any organization, whom no operator has disabled. */
export async function isMember(email: string): Promise<boolean> {
  const user = await systemClient().user.findUnique({ where: { email: emailOf(email) } })
  return (
    user !== null &&
    !user.disabledAt &&
    (await systemClient().member.findFirst({ where: { userId: user.id, removedAt: null } })) !== null
  )
}

/** Where somebody who is signed in makes an organization. */
export const SIGN_UP_PATH = '/sign-in/organization'

/** Whether anybody may make an organization. */
export const isSignUpOpen = (): boolean => env.SIGN_UP === 'open'

/** Whether somebody may sign in who is a member nowhere, to make an organization. */
export async function maySignUp(email: string): Promise<boolean> {
  if (!isSignUpOpen()) return false
  const user = await systemClient().user.findUnique({ where: { email: emailOf(email) } })
  return !user?.disabledAt
}

/** Ends a session; its cookie is no longer accepted. */
export async function endSession(sessionToken: string): Promise<void> {
  await systemClient().session.deleteMany({ where: { tokenHash: sessionHash(sessionToken) } })
}
