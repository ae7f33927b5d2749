'use server'

import { cookies } from 'next/headers'
import { redirect } from 'next/navigation'
import { SESSION_COOKIES } from '@/lib/auth/authenticate'
import { sessionToken } from '@/lib/auth/dashboard'
import { endSession } from '@/lib/auth/sign-in'

export async function signOut(): Promise<void> {
  const token = await sessionToken()
  if (token) await endSession(token)
  const jar = await cookies()
  for (const name of SESSION_COOKIES) jar.delete(name)
  redirect('/sign-in')
}
