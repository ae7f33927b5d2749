import { randomUUID } from 'node:crypto'
import { cookies, headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { cache } from 'react'
import { findSignedIn, findVisit, type SignedIn, type Visit } from './authenticate.ts'
import type { Context } from './context.ts'
import { ORGANIZATION_COOKIE, SESSION_COOKIE } from './cookies.ts'
import { isSignUpOpen, SIGN_UP_PATH } from './sign-in.ts'

export const sessionToken = async (): Promise<string | undefined> => {
  const jar = await cookies()
  return jar.get(SESSION_COOKIE)?.value
}

/** Who is signed in, or null. Read once per request. */
export const visitor = cache(async (): Promise<Visit | null> => {
  const token = await sessionToken()
  const clientAddress = (await headers()).get('x-client-address') ?? '127.0.0.1'
  const chosen = (await cookies()).get(ORGANIZATION_COOKIE)?.value
  return token ? findVisit(token, { requestId: randomUUID(), clientAddress }, chosen) : null
})

/** The person signed in, who may be a member nowhere yet; null when there is none. */
export const person = cache(async (): Promise<SignedIn | null> => {
  const token = await sessionToken()
  return token ? findSignedIn(token) : null
})

/**
 * The context of a dashboard page or action. Redirects to the sign-in page when nobody is signed in, whoever is a member nowhere to the
 * page where they make an organization, if anybody may, and to the one about passkeys when the organization asks for one and another way
 * was used.
 */
export async function dashboardContext(): Promise<Context> {
  const { ctx, needsPasskey } = await signedInVisit()
  return needsPasskey ? redirect('/sign-in/passkey') : ctx
}

/** For pages that lead to a passkey or a recent sign-in: whoever is signed in, with no permissions where they need a passkey first. */
export const signedInVisit = async (): Promise<Visit> =>
  (await visitor()) ?? redirect(isSignUpOpen() && (await person()) ? SIGN_UP_PATH : '/sign-in')
