import { redirect } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { titled } from '@/app/language/titled'
import { ListingTermsForm } from '@/components/dashboard/listings/listing-terms-form'
import { PageHeader } from '@/components/ui/page-header'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { listCampaignChoices } from '@/lib/messaging/campaigns/list-campaign-choices'
import { updateListing } from '@/lib/platform/api/listings'
import { changeableOf } from '@/lib/platform/http/changed-fields'
import { orNotFound } from '@/lib/platform/http/or-not-found'
import { getListing } from '@/lib/offers/listings/get-listing'
import { updateListingAction } from '../../actions'
import { subjectOf } from '../../listing-subject'

export const generateMetadata = titled('dashboard.listings', 'editing.pageTitle')

export default async function EditListingPage({ params }: PageProps<'/dashboard/listings/[listingId]/edit'>) {
  const t = await getTranslations('dashboard.listings')
  const { listingId } = await params
  const ctx = await dashboardContext()
  const listing = await orNotFound(listingId, (id) => getListing(ctx, id))
  const here = `/dashboard/listings/${listing.id}`
  if (['COMPLETE', 'CANCELLED', 'EXPIRED'].includes(listing.status)) redirect(here)
  const [{ title }, campaigns] = await Promise.all([subjectOf(ctx, listing), listCampaignChoices(ctx, { limit: 1000 })])
  return (
    <>
      <PageHeader back={{ href: here, label: title }} title={t('editing.title')} description={t('editing.lead')} />
      <ListingTermsForm
        action={updateListingAction.bind(null, listing.id)}
        terms={changeableOf(updateListing, listing)}
        isFree={listing.price === '0'}
        campaigns={campaigns}
        several={listing.quantity_listed > 1n}
        cancel={here}
      />
    </>
  )
}
