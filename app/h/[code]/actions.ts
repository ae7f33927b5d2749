'use server'

import { cookies, headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { pathOfPlace } from '@/app/claim/claim-place'
import { DAY } from '@/lib/core/clock'
import { AppError } from '@/lib/core/errors'
import { takeClaim } from '@/lib/giving/take-claim'
import { SECURE_COOKIES } from '@/lib/platform/auth/cookies'
import { handoverContext } from '@/lib/platform/auth/handover-context'
import { pageRequestId } from '@/lib/platform/auth/page-request-id'
import { assertNoMaintenance } from '@/lib/platform/http/maintenance'
import { countRequest } from '@/lib/platform/http/rate-limit'
import { HANDOVER_COOKIE } from './handover-cookie'

/** Opens the claim of a handover in the browser that pressed the button. Guesses count as writes of the public API. */
export async function takeAction(code: string): Promise<void> {
  const clientAddress = (await headers()).get('x-client-address') ?? ''
  const taken = await take(code, { requestId: await pageRequestId(), clientAddress })
  const path = pathOfPlace({ token: '', code })
  if ('refused' in taken) redirect(`${path}?said=${taken.refused}`)
  const jar = await cookies()
  jar.set(HANDOVER_COOKIE, taken.token, {
    path,
    httpOnly: true,
    sameSite: 'lax',
    secure: SECURE_COOKIES,
    maxAge: DAY,
  })
  redirect(path)
}

/** Why a code doesn't work isn't told: whoever guesses learns nothing. */
async function take(
  code: string,
  caller: { requestId: string; clientAddress: string },
): Promise<{ token: string } | { refused: 'over' | 'later' }> {
  try {
    await assertNoMaintenance()
    await countRequest('public-writes', caller.clientAddress)
    return { token: await takeClaim(await handoverContext(code, caller), code) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { refused: error.code === 'rate_limited' || error.code === 'maintenance' ? 'later' : 'over' }
  }
}
