import NextAuth from 'next-auth'
import { NextRequest } from 'next/server'
import { SESSION_COOKIE } from '@/lib/platform/auth/cookies'
import { signInOptions } from '@/lib/platform/auth/next-auth'
import { organizationCookie } from '@/lib/platform/auth/organization-cookie'
import { signInContext } from '@/lib/platform/auth/sign-in'
import { MAX_FORM_BYTES } from '@/lib/platform/http/body-limits'
import { asAppError, problem } from '@/lib/platform/http/problem'
import { countRequest } from '@/lib/platform/http/rate-limit'
import { readBodyText } from '@/lib/platform/http/request-body'
import { clientAddressOf } from '@/lib/platform/http/serve'
import { sendSignIn } from '@/lib/members/send-sign-in'

type Route = { params: Promise<{ nextauth: string[] }> }

const handle = async (request: NextRequest, route: Route): Promise<Response> =>
  NextAuth(
    request as never,
    route as never,
    signInOptions((email, url) => sendSignIn(signInContext(), { email, url })),
  )

/** Someone who follows an invitation's link sees the organization that invited them. */
export async function GET(request: NextRequest, route: Route): Promise<Response> {
  const response = await handle(request, route)
  const organizationId = request.nextUrl.searchParams.get('organization')
  if (organizationId && signsIn(response)) response.headers.append('set-cookie', organizationCookie(organizationId))
  return response
}

const signsIn = (response: Response): boolean =>
  response.headers
    .getSetCookie()
    .some((cookie) => cookie.startsWith(`${SESSION_COOKIE}=`) && !cookie.startsWith(`${SESSION_COOKIE}=;`))

export async function POST(request: NextRequest, route: Route): Promise<Response> {
  let body: string
  try {
    await countRequest('public-writes', clientAddressOf(request))
    body = await readBodyText(request, MAX_FORM_BYTES) // next-auth reads without a limit
  } catch (error) {
    return problem(asAppError(error), 'sign-in')
  }
  return handle(new NextRequest(request.url, { method: 'POST', headers: request.headers, body }), route)
}
