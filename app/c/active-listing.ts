import { anyone } from '@/app/claim/anyone'
import { activeListingOf } from '@/lib/offers/listings/active-listing'
import { buyerContext } from '@/lib/platform/auth/authenticate'

/** The newest listing through which an item of the organization can be bought now; null when there is none. */
export const readActiveListing = async (organizationId: string, itemId: string) =>
  activeListingOf(buyerContext(await anyone(), organizationId), itemId)
