import { randomUUID } from 'node:crypto'
import { cookies, headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { cache } from 'react'
import { memberContext } from './authenticate.ts'
import type { Context } from './context.ts'
import { ORGANIZATION_COOKIE, SESSION_COOKIE } from './cookies.ts'

export const sessionToken = async (): Promise<string | undefined> => {
  const jar = await cookies()
  return jar.get(SESSION_COOKIE)?.value
}

/** The context of the signed-in member, or null. Read once per request. */
export const visitor = cache(async (): Promise<Context | null> => {
  const token = await sessionToken()
  const clientAddress = (await headers()).get('x-client-address') ?? '127.0.0.1'
  const chosen = (await cookies()).get(ORGANIZATION_COOKIE)?.value
  return token ? memberContext(token, { requestId: randomUUID(), clientAddress }, chosen) : null
})

/** The context of a dashboard page or action. Redirects to the sign-in page when nobody is signed in. */
export async function dashboardContext(): Promise<Context> {
  return (await visitor()) ?? redirect('/sign-in')
}
