import { randomUUID } from 'node:crypto'
import { cookies } from 'next/headers'
import { readClaim } from '@/app/claim/read-claim'
import { sellerOf } from '@/app/claim/seller-of'
import { HANDOVER_COOKIE } from '@/app/h/[code]/handover-cookie'
import { readerOf } from '@/app/unsubscribe/reader'
import type { LocaleHints } from '@/lib/core/choose-locale'
import { visitor } from '@/lib/platform/auth/dashboard'

/** The token of the claim that a page shows; null for other pages. */
export async function claimTokenAt(pathname: string): Promise<string | null> {
  const [, page, secret] = pathname.split('/')
  if (page === 'h') return (await cookies()).get(HANDOVER_COOKIE)?.value ?? null
  return page === 'claim' && secret ? decodeURIComponent(secret) : null
}

type Locales = Pick<LocaleHints, 'stored' | 'organization'>
const NONE: Locales = { stored: null, organization: null }

/** The languages of what a page shows, and of whose it is. */
export async function localesOfPlace(pathname: string): Promise<Locales> {
  try {
    const token = await claimTokenAt(pathname)
    if (token !== null) return await localesOfClaim(token)
    const [, page, secret] = pathname.split('/')
    if (page === 'dashboard' || page === 'sign-in') return await localesOfMember()
    return page === 'mails' && secret ? await localesOfReader(decodeURIComponent(secret)) : NONE
  } catch {
    // The page reads the same and says that it failed; its layout has to stand.
    return NONE
  }
}

async function localesOfClaim(token: string): Promise<Locales> {
  const claim = await readClaim(token)
  if (!claim) return NONE
  return { stored: claim.locale, organization: (await sellerOf(claim.organization_id))?.locale ?? null }
}

async function localesOfReader(token: string): Promise<Locales> {
  const { ctx } = await readerOf(token, { requestId: randomUUID(), clientAddress: '' })
  return { stored: null, organization: (await sellerOf(ctx.organizationId))?.locale ?? null }
}

/** Of whoever is signed in; the page reads the same session. */
async function localesOfMember(): Promise<Locales> {
  const visit = await visitor()
  const membership = visit?.memberships.find(({ organizationId }) => organizationId === visit.ctx.organizationId)
  return { stored: null, organization: membership?.locale ?? null }
}
