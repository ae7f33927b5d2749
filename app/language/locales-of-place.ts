import { randomUUID } from 'node:crypto'
import { cookies } from 'next/headers'
import { readOfferOfCollection, readOfferOfItem } from '@/app/c/published'
import { readClaim } from '@/app/claim/read-claim'
import { sellerOf } from '@/app/claim/seller-of'
import { HANDOVER_COOKIE } from '@/app/h/[code]/handover-cookie'
import { readerOf } from '@/app/unsubscribe/reader'
import type { LocaleHints } from '@/lib/core/choose-locale'
import { isUuid } from '@/lib/core/id'

/** The token of the claim that a page shows; null for other pages. */
export async function claimTokenAt(pathname: string): Promise<string | null> {
  const [, page, secret] = pathname.split('/')
  if (page === 'h') return (await cookies()).get(HANDOVER_COOKIE)?.value ?? null
  return page === 'claim' && secret ? decodeURIComponent(secret) : null
}

type Locales = Pick<LocaleHints, 'stored' | 'organization'>
const NONE: Locales = { stored: null, organization: null }

/** The languages of what a page shows, and of whose it is. */
export async function localesOfPlace(pathname: string, searchParams: URLSearchParams): Promise<Locales> {
  try {
    const token = await claimTokenAt(pathname)
    if (token !== null) return await localesOfClaim(token)
    const [, page, shown] = pathname.split('/')
    if (page === 'mails' && shown) return await localesOfReader(decodeURIComponent(shown))
    if (page === 'wallet') return await localesOfSeller(searchParams.get('from'))
    const read = page === 'c' ? readOfferOfCollection : page === 'i' ? readOfferOfItem : null
    if (!read || !shown || !isUuid(shown)) return NONE
    return { stored: null, organization: (await read(shown))?.seller?.locale ?? null }
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

/** Of the organization whose page led to the wallet. */
async function localesOfSeller(organizationId: string | null): Promise<Locales> {
  const seller = organizationId === null ? null : await sellerOf(organizationId)
  return { stored: null, organization: seller?.locale ?? null }
}
