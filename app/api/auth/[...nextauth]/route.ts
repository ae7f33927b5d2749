import NextAuth from 'next-auth'
import { NextRequest } from 'next/server'
import { isSameOrigin } from '@/lib/platform/auth/authenticate'
import { SESSION_COOKIE } from '@/lib/platform/auth/cookies'
import { sessionToken } from '@/lib/platform/auth/dashboard'
import { linkRequestContext } from '@/lib/platform/auth/narrow-contexts'
import { signInOptions } from '@/lib/platform/auth/next-auth'
import { organizationCookie } from '@/lib/platform/auth/organization-cookie'
import { CONFIRM_PATH, secretOfLink } from '@/lib/platform/auth/sign-in'
import { env } from '@/lib/core/env'
import { AppError } from '@/lib/core/errors'
import { MAX_FORM_BYTES } from '@/lib/platform/http/body-limits'
import { maintenanceSince } from '@/lib/platform/http/maintenance'
import { asAppError, problem } from '@/lib/platform/http/problem'
import { countRequest } from '@/lib/platform/http/rate-limit'
import { readBodyText } from '@/lib/platform/http/request-body'
import { clientAddressOf, requestIdOf } from '@/lib/platform/http/serve'
import { askForSignIn } from '@/lib/members/ask-for-sign-in'
import { followOidcRole } from '@/lib/members/follow-oidc-role'

type Route = { params: Promise<{ nextauth: string[] }> }

async function handle(request: NextRequest, route: Route): Promise<Response> {
  const { nextauth } = await route.params
  const [clientAddress, requestId] = [clientAddressOf(request), requestIdOf(request)]
  const options = signInOptions({
    askForLink: (email, returnTo) =>
      askForSignIn(linkRequestContext({ requestId }), { email, returnTo, clientAddress }),
    followRole: (email, role) => followOidcRole({ requestId, clientAddress }, { email, role }),
    requestId,
    clientAddress,
    userAgent: request.headers.get('user-agent'),
    replaces: nextauth[0] === 'callback' ? await sessionToken() : undefined,
    ...((await isLink(route)) && { secret: await secretOfLink(request.nextUrl.searchParams.get('token') ?? '') }),
  })
  return NextAuth(request as never, route as never, options)
}

const isLink = async ({ params }: Route): Promise<boolean> => (await params).nextauth.join('/') === 'callback/email'

/**
 * Opening a link changes nothing, because mail scanners open links too: its page has a button that posts. A provider's
 * answer comes by GET too, and signs in: not in maintenance.
 */
export async function GET(request: NextRequest, route: Route): Promise<Response> {
  if (await isLink(route))
    return new Response(null, {
      status: 302,
      headers: { location: `${env.ORIGIN}${CONFIRM_PATH}${request.nextUrl.search}` },
    })
  const answersProvider = (await route.params).nextauth[0] === 'callback'
  if (answersProvider && (await maintenanceSince()))
    return new Response(null, { status: 302, headers: { location: `${env.ORIGIN}/sign-in?error=Maintenance` } })
  return handle(request, route)
}

export async function POST(request: NextRequest, route: Route): Promise<Response> {
  const byLink = await isLink(route)
  let body: string
  try {
    await countRequest('public-writes', clientAddressOf(request))
    body = await readBodyText(request, MAX_FORM_BYTES) // next-auth reads without a limit
    // Another site's form could sign its visitors in as somebody else.
    if (byLink && !isSameOrigin(request)) throw new AppError('forbidden', 'Open the link of the mail to sign in.')
  } catch (error) {
    return problem(asAppError(error), requestIdOf(request))
  }
  const read = new NextRequest(request.url, { method: 'POST', headers: request.headers, body })
  const response = await handle(read, route)
  // Someone who follows an invitation's link sees the organization that invited them.
  const organizationId = request.nextUrl.searchParams.get('organization')
  if (byLink && organizationId && signsIn(response))
    response.headers.append('set-cookie', organizationCookie(organizationId))
  return response
}

const signsIn = (response: Response): boolean =>
  response.headers
    .getSetCookie()
    .some((cookie) => cookie.startsWith(`${SESSION_COOKIE}=`) && !cookie.startsWith(`${SESSION_COOKIE}=;`))
