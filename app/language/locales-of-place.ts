import { cookies } from 'next/headers'
import { readOfferOfCollection, readOfferOfItem } from '@/app/c/published'
import { readClaim } from '@/app/claim/read-claim'
import { sellerOf, sellerOfPurchase } from '@/app/claim/seller-of'
import { HANDOVER_COOKIE } from '@/app/h/[code]/handover-cookie'
import { readOffer } from '@/app/l/[listingId]/read-offer'
import { readShop } from '@/app/l/[listingId]/read-shop'
import { PURCHASE_COOKIE } from '@/app/p/[intentId]/purchase-cookie'
import { readPurchase } from '@/app/p/[intentId]/read-purchase'
import { readerOf } from '@/app/unsubscribe/reader'
import type { LocaleHints } from '@/lib/core/choose-locale'
import { isUuid } from '@/lib/core/id'
import { visitor } from '@/lib/platform/auth/dashboard'
import { pageRequestId } from '@/lib/platform/auth/page-request-id'

/** The token of the claim that a page shows; null for other pages. */
export async function claimTokenAt(pathname: string): Promise<string | null> {
  const [, page, secret] = pathname.split('/')
  if (page === 'h') return (await cookies()).get(HANDOVER_COOKIE)?.value ?? null
  return page === 'claim' && secret ? decodeURIComponent(secret) : null
}

/** The id of the purchase that a page shows; null for other pages. */
export function purchaseIdAt(pathname: string): string | null {
  const [, page, id] = pathname.split('/')
  return page === 'p' && id ? decodeURIComponent(id) : null
}

type Locales = Pick<LocaleHints, 'stored' | 'organization'>
const NONE: Locales = { stored: null, organization: null }

/** The languages of what a page shows, and of whose it is. */
export async function localesOfPlace(pathname: string, searchParams: URLSearchParams): Promise<Locales> {
  try {
    const token = await claimTokenAt(pathname)
    if (token !== null) return await localesOfClaim(token)
    const [, page, segment] = pathname.split('/')
    const place = segment ? decodeURIComponent(segment) : null
    if (page === 'dashboard' || page === 'sign-in') return await localesOfMember()
    if (page === 'wallet') return await localesOfSeller(searchParams.get('from'))
    if (!place) return NONE
    if (page === 'mails') return await localesOfReader(place)
    if (page === 'l') return await localesOfListing(place)
    if (page === 'p') return await localesOfPurchase(place)
    const read = page === 'c' ? readOfferOfCollection : page === 'i' ? readOfferOfItem : null
    if (!read || !isUuid(place)) return NONE
    return { stored: null, organization: (await read(place))?.seller?.locale ?? null }
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
  const { ctx } = await readerOf(token, { requestId: await pageRequestId(), clientAddress: '' })
  return { stored: null, organization: (await sellerOf(ctx.organizationId))?.locale ?? null }
}

/** Of the organization whose page led to the wallet. */
async function localesOfSeller(organizationId: string | null): Promise<Locales> {
  const seller = organizationId === null ? null : await sellerOf(organizationId)
  return { stored: null, organization: seller?.locale ?? null }
}

async function localesOfListing(id: string): Promise<Locales> {
  const offer = await readOffer(id)
  if (!offer) return NONE
  const { organization_id, item_id, campaign_id } = offer.listing
  const { seller, campaign } = await readShop(organization_id, item_id, campaign_id)
  return { stored: campaign?.locale ?? null, organization: seller?.locale ?? null }
}

/**
 * The server knows a purchase's secret only of a browser without script; with script the page looks at the purchase
 * itself.
 */
async function localesOfPurchase(id: string): Promise<Locales> {
  const secret = (await cookies()).get(PURCHASE_COOKIE)?.value
  const [purchase, seller] = await Promise.all([secret ? readPurchase(id, secret) : null, sellerOfPurchase(id)])
  return { stored: purchase?.locale ?? null, organization: seller?.locale ?? null }
}

/** Of whoever is signed in, and of their organization; the page reads the same session. */
async function localesOfMember(): Promise<Locales> {
  const visit = await visitor()
  const membership = visit?.memberships.find(({ organizationId }) => organizationId === visit.ctx.organizationId)
  return { stored: visit?.locale ?? null, organization: membership?.locale ?? null }
}
