import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { cache } from 'react'
import { originFacts } from '@/app/claim/origin-facts'
import { sellerOf } from '@/app/claim/seller-of'
import { CheckoutFrame } from '@/components/checkout/frame'
import { ListingPage } from '@/components/checkout/listing-page'
import { readOffer } from './read-offer'

type Props = { params: Promise<{ listingId: string }>; searchParams: Promise<{ embed?: string | string[] }> }

const offerOf = cache(readOffer)

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const offer = await offerOf((await params).listingId)
  return offer
    ? { title: offer.subject.title, ...(offer.subject.description && { description: offer.subject.description }) }
    : {}
}

export default async function Page({ params, searchParams }: Props) {
  const offer = await offerOf((await params).listingId)
  if (!offer) notFound()
  const [{ networks }, seller] = await Promise.all([originFacts(), sellerOf(offer.listing.organization_id)])
  const network = networks.find(({ id }) => id === offer.listing.network_id)
  if (!network) throw new Error(`Listing ${offer.listing.id} is on a network that is not configured.`)
  const embedded = (await searchParams).embed === '1'
  return (
    <CheckoutFrame seller={seller} embedded={embedded} testMode={network.testnet}>
      <ListingPage
        initial={offer.listing}
        subject={offer.subject}
        network={network}
        embedded={embedded}
        readAt={offer.readAt}
      />
    </CheckoutFrame>
  )
}
