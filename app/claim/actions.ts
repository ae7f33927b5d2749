'use server'

import { cookies } from 'next/headers'
import { redirect } from 'next/navigation'
import { POST as redeem } from '@/app/public/v1/email-claims/[claim_token]/redeem/route'
import { POST as verify } from '@/app/public/v1/email-claims/[claim_token]/verify/route'
import { postFromPage, textOf } from '@/app/public/post-from-page'
import { DAY } from '@/lib/core/clock'
import { env } from '@/lib/core/env'
import { type ClaimPlace, pathOfPlace } from './claim-place'
import { REDEEMED_COOKIE } from './redeemed-cookie'

const pathOf = (token: string) => `/public/v1/email-claims/${encodeURIComponent(token)}`
const backTo = (place: ClaimPlace, said: string) => redirect(`${pathOfPlace(place)}?said=${said}`)

/** Sends the PIN of a claim, for a browser without script. */
export async function sendPinAction(place: ClaimPlace): Promise<void> {
  const { token } = place
  const { refused } = await postFromPage(verify, { path: `${pathOf(token)}/verify`, params: { claim_token: token } })
  backTo(place, refused ?? 'pin_sent')
}

/** Redeems a claim to an address, for a browser without script. Redeeming twice never mints twice. */
export async function redeemAction(place: ClaimPlace, form: FormData): Promise<void> {
  const { token } = place
  const { refused } = await postFromPage(redeem, {
    path: `${pathOf(token)}/redeem`,
    params: { claim_token: token },
    body: { pin: textOf(form, 'pin')?.replace(/\s/g, ''), address: textOf(form, 'address') },
  })
  if (refused === null) {
    const jar = await cookies()
    jar.set(REDEEMED_COOKIE, '1', {
      path: pathOfPlace(place),
      httpOnly: true,
      sameSite: 'lax',
      secure: env.ORIGIN.startsWith('https:'),
      maxAge: 30 * DAY,
    })
  }
  backTo(place, refused ?? 'redeemed')
}
