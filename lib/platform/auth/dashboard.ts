import { cookies, headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { cache } from 'react'
import { organizationScope } from '../../db/scope.ts'
import { findSignedIn, findVisit, type SignedIn, type Visit } from './authenticate.ts'
import { type Context, withScope } from './context.ts'
import { ORGANIZATION_COOKIE, SESSION_COOKIE } from './cookies.ts'
import { pageRequestId } from './page-request-id.ts'
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
  const visit = token ? await findVisit(token, { requestId: await pageRequestId(), clientAddress }, chosen) : null
  return visit && { ...visit, ctx: asPage(visit.ctx) }
})

/** The request's context with statements that go out together where a page asks for several things at once. */
const asPage = (ctx: Context): Context =>
  withScope(ctx, organizationScope(ctx.organizationId, { signal: ctx.signal, together: true }))

/** The person signed in, who may be a member nowhere yet; null when there is none. */
export const person = cache(async (): Promise<SignedIn | null> => {
  const token = await sessionToken()
  return token ? findSignedIn(token) : null
})

/**
 * The context of a dashboard page or action. Redirects to the sign-in page when nobody is signed in, whoever is a
 * member nowhere to the page where they make an organization, if anybody may, and to the one about passkeys when the
 * organization asks for one and another way was used.
 */
export const dashboardContext = async (): Promise<Context> => (await dashboardVisit()).ctx

/** The context of `dashboardContext`, with the organizations that the person is a member of. Redirects as that does. */
export async function dashboardVisit(): Promise<Visit> {
  const visit = await signedInVisit()
  return visit.needsPasskey ? redirect('/sign-in/passkey') : visit
}

/**
 * For pages that lead to a passkey or a recent sign-in: whoever is signed in, with no permissions where they need a
 * passkey first.
 */
export const signedInVisit = async (): Promise<Visit> =>
  (await visitor()) ?? redirect(isSignUpOpen() && (await person()) ? SIGN_UP_PATH : '/sign-in')
