'use server'

import { cookies, headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { z } from 'zod'
import { LOCALE_COOKIE, ORGANIZATION_COOKIE } from '@/lib/platform/auth/cookies'
import { person, signedInVisit } from '@/lib/platform/auth/dashboard'
import { organizationCookieOptions } from '@/lib/platform/auth/organization-cookie'
import { linkRequestContext, setUpContext, signUpContext } from '@/lib/platform/auth/narrow-contexts'
import { pageRequestId } from '@/lib/platform/auth/page-request-id'
import { CALLBACK_PATH } from '@/lib/platform/auth/sign-in'
import { findLocale, localeOfHeader } from '@/lib/core/find-locale'
import type { Locale } from '@/lib/core/locales'
import { email } from '@/lib/core/wire'
import type { ActionState } from '@/lib/platform/api/form-action'
import { organizationName } from '@/lib/platform/api/organizations'
import { formBody } from '@/lib/platform/http/form-body'
import { attempt } from '@/lib/platform/http/action'
import { parse } from '@/lib/platform/http/parse-input'
import { countRequest } from '@/lib/platform/http/rate-limit'
import { askForSignIn } from '@/lib/members/ask-for-sign-in'
import { setUp } from '@/lib/members/set-up'
import { signUp } from '@/lib/members/sign-up'

const clientAddress = async (): Promise<string> => (await headers()).get('x-client-address') ?? '127.0.0.1'

/**
 * The language that whoever asks chose on this device, else their browser's: mails speak more languages than these
 * pages.
 */
async function localeRead(): Promise<Locale | undefined> {
  const chosen = (await cookies()).get(LOCALE_COOKIE)?.value ?? ''
  return findLocale(chosen) ?? localeOfHeader((await headers()).get('accept-language')) ?? undefined
}

const linkRequest = z.strictObject({ email })
const setup = z.strictObject({ token: z.string().default(''), name: organizationName, email })
const newOrganization = z.strictObject({ name: organizationName })

/**
 * Only members get a mail, and newcomers where they may sign up; everybody sees the same page, so that it doesn't
 * reveal who is a member.
 */
export async function askForLink(_: ActionState, form: FormData): Promise<ActionState> {
  const client = await clientAddress()
  const done = await attempt(form, async () => {
    await countRequest('public-writes', client)
    const given = parse(linkRequest, formBody(form)) as z.output<typeof linkRequest>
    await askForSignIn(linkRequestContext({ requestId: await pageRequestId() }), {
      email: given.email,
      locale: await localeRead(),
      clientAddress: client,
    })
  })
  if (!done.ok) return done
  redirect('/sign-in/check')
}

/** Mails somebody who is signed in a link that leads back to this page of the dashboard. */
export async function askForLinkAgain(returnTo: string): Promise<ActionState> {
  const { actor, clientAddress: client } = (await signedInVisit()).ctx
  if (actor.type !== 'member') redirect('/sign-in')
  const done = await attempt(undefined, async () => {
    await countRequest('admin', actor.id)
    await askForSignIn(linkRequestContext({ requestId: await pageRequestId() }), {
      email: actor.email,
      returnTo,
      locale: await localeRead(),
      clientAddress: client,
    })
  })
  if (!done.ok) return done
  redirect('/sign-in/check')
}

/** Makes the first organization. The answer's secret is where a form posts to, to sign in. */
export async function setUpAction(_: ActionState, form: FormData): Promise<ActionState> {
  const client = await clientAddress()
  const done = await attempt(form, async () => {
    await countRequest('public-writes', client)
    return setUp(setUpContext(await pageRequestId()), parse(setup, formBody(form)) as z.output<typeof setup>)
  })
  return done.ok ? { ok: true, secret: CALLBACK_PATH + new URL(done.value).search } : done
}

/** Makes an organization for whoever is signed in, where that is open to anybody. */
export async function signUpAction(_: ActionState, form: FormData): Promise<ActionState> {
  const who = await person()
  if (!who) redirect('/sign-in')
  const client = await clientAddress()
  const done = await attempt(form, async () => {
    await countRequest('public-writes', client)
    const { name } = parse(newOrganization, formBody(form)) as z.output<typeof newOrganization>
    return signUp(signUpContext(await pageRequestId()), { ...who, name, clientAddress: client })
  })
  if (!done.ok) return done
  const jar = await cookies()
  jar.set(ORGANIZATION_COOKIE, done.value.organizationId, organizationCookieOptions())
  redirect('/dashboard')
}
