import { randomUUID } from 'node:crypto'
import { cookies, headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { cache } from 'react'
import { memberContext, ORGANIZATION_COOKIE, SESSION_COOKIES } from './authenticate.ts'
import type { Context } from './context.ts'

export const sessionToken = async (): Promise<string | undefined> => {
  const jar = await cookies()
  return SESSION_COOKIES.map((name) => jar.get(name)?.value).find(Boolean)
}

/** The member who looks at this page, or null; asked once a request. */
export const visitor = cache(async (): Promise<Context | null> => {
  const token = await sessionToken()
  const clientAddress = (await headers()).get('x-client-address') ?? '127.0.0.1'
  const chosen = (await cookies()).get(ORGANIZATION_COOKIE)?.value
  return token ? memberContext(token, { requestId: randomUUID(), clientAddress }, chosen) : null
})

/** The context of a dashboard page or action. Whoever isn't signed in is sent to do so. */
export async function dashboardContext(): Promise<Context> {
  return (await visitor()) ?? redirect('/sign-in')
}
