'use server'

import { cookies, headers } from 'next/headers'
import { revalidatePath } from 'next/cache'
import { getTranslations } from 'next-intl/server'
import type { ActionFailure } from '@/lib/platform/api/form-action'
import { PASSKEY_COOKIE, SECURE_COOKIES, SESSION_COOKIE, SIGN_IN_COOKIES } from '@/lib/platform/auth/cookies'
import { sessionToken, signedInVisit, visitor } from '@/lib/platform/auth/dashboard'
import { CHALLENGE_SECONDS } from '@/lib/platform/auth/passkey-challenge'
import { beginPasskeySignIn, type Begun } from '@/lib/platform/auth/passkeys'
import { dashboardPathOf } from '@/lib/platform/auth/sign-in'
import { signInWithPasskey } from '@/lib/platform/auth/sign-in-with-passkey'
import { safeString } from '@/lib/core/wire'
import { attempt, wrongField } from '@/lib/platform/http/action'
import { countRequest } from '@/lib/platform/http/rate-limit'
import { beginPasskeyRegistration, registerPasskey } from '@/lib/members/register-passkey'

type OptionsAnswer<Options> = { ok: true; options: Options } | ActionFailure

/** Counts the request like others that write and need no session, and turns a failure into a sentence. */
async function counted<T extends object>(run: (clientAddress: string) => Promise<T>): Promise<T | ActionFailure> {
  const clientAddress = (await headers()).get('x-client-address') ?? '127.0.0.1'
  const done = await attempt(undefined, async () => {
    await countRequest('public-writes', clientAddress)
    return run(clientAddress)
  })
  return done.ok ? done.value : done
}

/** Gives the browser its cookie, and the page what to ask the authenticator. */
async function ask<Options>({ options, browser }: Begun<Options>): Promise<OptionsAnswer<Options>> {
  const jar = await cookies()
  jar.set(PASSKEY_COOKIE, browser, {
    path: '/',
    httpOnly: true,
    sameSite: 'strict',
    secure: SECURE_COOKIES,
    maxAge: CHALLENGE_SECONDS,
  })
  return { ok: true, options }
}

const challenged = async () => (await cookies()).get(PASSKEY_COOKIE)?.value

export async function beginSignInAction() {
  const visit = await visitor()
  return counted(async () => ask(await beginPasskeySignIn(visit && visit.ctx)))
}

/** Signs in and says where to go on. */
export async function finishSignInAction(
  returnTo: string,
  answer: unknown,
): Promise<{ ok: true; path: string } | ActionFailure> {
  return counted(async (clientAddress) => {
    const browser = {
      clientAddress,
      userAgent: (await headers()).get('user-agent'),
      replaces: await sessionToken(),
    }
    const session = await signInWithPasskey(answer, await challenged(), browser)
    const jar = await cookies()
    jar.delete({ name: PASSKEY_COOKIE, path: '/', secure: SECURE_COOKIES })
    jar.set(SESSION_COOKIE, session.sessionToken, {
      ...SIGN_IN_COOKIES.sessionToken.options,
      expires: session.expires,
    })
    return { ok: true, path: dashboardPathOf(returnTo) }
  })
}

export async function beginRegistrationAction() {
  const { ctx } = await signedInVisit()
  return counted(async () => ask(await beginPasskeyRegistration(ctx)))
}

export async function finishRegistrationAction(name: string, answer: unknown): Promise<{ ok: true } | ActionFailure> {
  const { ctx } = await signedInVisit()
  const given = safeString.trim().min(1).safeParse(name)
  if (!given.success) return wrongField('name', (await getTranslations('dashboard.passkeys'))('nameNeeded'))
  return counted(async () => {
    await registerPasskey(ctx, { name: given.data, answer }, await challenged())
    const jar = await cookies()
    jar.delete({ name: PASSKEY_COOKIE, path: '/', secure: SECURE_COOKIES })
    revalidatePath('/dashboard/settings/passkeys')
    return { ok: true as const }
  })
}
