import type { getListing } from '@/lib/offers/listings/get-listing'
import { updateListing } from '@/lib/platform/api/listings'
import { changeableOf } from '@/lib/platform/http/changed-fields'

/** What the form of a listing's terms is opened with. */
export const openedListing = (listing: Awaited<ReturnType<typeof getListing>>) => changeableOf(updateListing, listing)
