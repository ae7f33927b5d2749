'use server'

import { cookies } from 'next/headers'
import { redirect } from 'next/navigation'
import { ORGANIZATION_COOKIE, SECURE_COOKIES, SESSION_COOKIE } from '@/lib/platform/auth/cookies'
import { sessionToken } from '@/lib/platform/auth/dashboard'
import { organizationCookieOptions } from '@/lib/platform/auth/organization-cookie'
import { endSession } from '@/lib/platform/auth/sign-in'
import { isUuid } from '@/lib/core/id'

export async function signOut(): Promise<void> {
  const token = await sessionToken()
  if (token) await endSession(token)
  const jar = await cookies()
  for (const name of [SESSION_COOKIE, ORGANIZATION_COOKIE]) jar.delete({ name, path: '/', secure: SECURE_COOKIES })
  redirect('/sign-in')
}

/** Switches to another organization of the member. Membership is checked on every request. */
export async function chooseOrganization(organizationId: string): Promise<void> {
  if (!isUuid(organizationId)) return
  const jar = await cookies()
  jar.set(ORGANIZATION_COOKIE, organizationId, organizationCookieOptions())
  redirect('/dashboard')
}
