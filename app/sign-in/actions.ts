'use server'

import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { signedInVisit } from '@/lib/platform/auth/dashboard'
import { signInContext } from '@/lib/platform/auth/sign-in'
import { email } from '@/lib/core/wire'
import type { ActionState } from '@/lib/platform/api/form-action'
import { asAppError } from '@/lib/platform/http/problem'
import { countRequest } from '@/lib/platform/http/rate-limit'
import { askForSignIn } from '@/lib/members/ask-for-sign-in'

/** Only members get a mail, but everybody sees the same page, so that it doesn't reveal who is a member. */
export async function askForLink(_: ActionState, form: FormData): Promise<ActionState> {
  const given = email.safeParse(form.get('email'))
  if (!given.success)
    return {
      ok: false,
      code: 'invalid_request',
      message: 'Some fields need another look.',
      fields: { email: ['This is not an email address.'] },
      others: [],
    }
  try {
    await countRequest('public-writes', (await headers()).get('x-client-address') ?? '127.0.0.1')
    await askForSignIn(signInContext(), { email: given.data })
  } catch (error) {
    const failure = asAppError(error)
    return { ok: false, code: failure.code, message: failure.message, fields: {}, others: [] }
  }
  redirect('/sign-in/check')
}

/** Mails somebody who is signed in a link that leads back to this page of the dashboard. */
export async function askForLinkAgain(returnTo: string): Promise<ActionState> {
  const { actor } = (await signedInVisit()).ctx
  if (actor.type !== 'member') redirect('/sign-in')
  try {
    await countRequest('admin', actor.id)
    await askForSignIn(signInContext(), { email: actor.email, returnTo })
  } catch (error) {
    const failure = asAppError(error)
    return { ok: false, code: failure.code, message: failure.message, fields: {}, others: [] }
  }
  redirect('/sign-in/check')
}
