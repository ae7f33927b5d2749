import NextAuth from 'next-auth'
import type { NextRequest } from 'next/server'
import { signInOptions } from '@/lib/auth/next-auth'
import { signInContext } from '@/lib/auth/sign-in'
import { asAppError, problem } from '@/lib/http/problem'
import { countRequest } from '@/lib/http/rate-limit'
import { clientAddressOf } from '@/lib/http/serve'
import { sendSignIn } from '@/lib/members/send-sign-in'

type Route = { params: Promise<{ nextauth: string[] }> }

const handle = async (request: NextRequest, route: Route): Promise<Response> =>
  NextAuth(request as never, route as never, signInOptions((email, url) => sendSignIn(signInContext(), { email, url })))

export const GET = handle

export async function POST(request: NextRequest, route: Route): Promise<Response> {
  try {
    await countRequest('public-writes', clientAddressOf(request))
  } catch (error) {
    return problem(asAppError(error), 'sign-in')
  }
  return handle(request, route)
}
