import { randomUUID } from 'node:crypto'
import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { cache } from 'react'
import { originFacts } from '@/app/claim/origin-facts'
import { Texts } from '@/app/language/texts'
import { CheckoutFrame } from '@/components/checkout/frame'
import { offerOf as saleOf, type Provider } from '@/components/checkout/listing'
import { ListingPage } from '@/components/checkout/listing-page'
import { PlainOrder } from '@/components/checkout/plain-order'
import { HoldersGet } from '@/components/published/holders-get'
import { WithoutScript } from '@/components/shared/without-script'
import { orderFreeAction } from './actions'
import { readOffer } from './read-offer'
import { readShop } from './read-shop'

type Props = {
  params: Promise<{ listingId: string }>
  searchParams: Promise<{ embed?: string | string[]; refused?: string | string[] }>
}

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
  const [{ networks }, { seller, perks }] = await Promise.all([
    originFacts(),
    readShop(offer.listing.organization_id, offer.listing.item_id),
  ])
  const network = networks.find(({ id }) => id === offer.listing.network_id)
  if (!network) throw new Error(`Listing ${offer.listing.id} is on a network that is not configured.`)
  const { embed, refused } = await searchParams
  const embedded = embed === '1'
  const isOpen = saleOf(offer.listing, offer.readAt) === 'open'
  const isFree = BigInt(offer.listing.price) === 0n
  return (
    <Texts of={['wallet']}>
      <CheckoutFrame seller={seller} embedded={embedded} testMode={network.testnet}>
        <div data-needs-script={isOpen && isFree ? '' : undefined}>
          <ListingPage
            initial={offer.listing}
            subject={offer.subject}
            seller={seller}
            network={network}
            embedded={embedded}
            readAt={offer.readAt}
          />
        </div>
        {perks.length > 0 && (
          <div className="mt-8 max-w-xl">
            <HoldersGet perks={perks} />
          </div>
        )}
        {isOpen && (
          <WithoutScript>
            {isFree ? (
              <PlainOrder
                listing={offer.listing}
                subject={offer.subject}
                seller={seller}
                refused={typeof refused === 'string' ? refused : null}
                idempotencyKey={randomUUID()}
                order={(provider: Provider) => orderFreeAction.bind(null, offer.listing.id, provider)}
              />
            ) : (
              <p className="mt-8 text-muted">Buying needs JavaScript. Turn it on and reload this page.</p>
            )}
          </WithoutScript>
        )}
      </CheckoutFrame>
    </Texts>
  )
}
