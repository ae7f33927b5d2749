import { randomUUID } from 'node:crypto'
import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { getLocale, getTranslations } from 'next-intl/server'
import { originFacts } from '@/app/claim/origin-facts'
import { PageFrame } from '@/app/language/page-frame'
import { EmbeddedFrame } from '@/components/checkout/embedded-frame'
import { offerOf as saleOf, type Provider } from '@/components/checkout/listing'
import { ListingPage } from '@/components/checkout/listing-page'
import { PlainOrder } from '@/components/checkout/plain-order'
import { SubjectCase } from '@/components/checkout/subject-case'
import { TestModeBar } from '@/components/checkout/test-mode-bar'
import { HoldersGet } from '@/components/published/holders-get'
import { WithoutScript } from '@/components/shared/without-script'
import { orderFreeAction } from './actions'
import { findOffer } from './find-offer'
import { readShop } from './read-shop'

type Props = {
  params: Promise<{ listingId: string }>
  searchParams: Promise<{ embed?: string | string[]; refused?: string | string[] }>
}

/** The texts of the order form, its summary and the steps with a wallet. */
const TEXTS = ['checkout', 'order', 'wallet'] as const

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const offer = await findOffer((await params).listingId, await getLocale())
  return offer
    ? { title: offer.subject.title, ...(offer.subject.description && { description: offer.subject.description }) }
    : {}
}

export default async function Page({ params, searchParams }: Props) {
  const offer = await findOffer((await params).listingId, await getLocale())
  if (!offer) notFound()
  const { listing, subject, readAt } = offer
  const [{ networks }, { seller, perks }, t] = await Promise.all([
    originFacts(),
    readShop(listing.organization_id, listing.item_id, listing.campaign_id),
    getTranslations('checkout'),
  ])
  const network = networks.find(({ id }) => id === listing.network_id)
  if (!network) throw new Error(`Listing ${listing.id} is on a network that is not configured.`)
  const { embed, refused } = await searchParams
  const isOpen = saleOf(listing, readAt) === 'open'
  const isFree = BigInt(listing.price) === 0n
  return (
    <PageFrame seller={seller} texts={TEXTS} {...(embed === '1' && { frame: EmbeddedFrame })}>
      {network.testnet && <TestModeBar />}
      <div data-needs-script={isOpen && isFree ? '' : undefined}>
        <ListingPage
          initial={listing}
          subject={{ kind: subject.kind, title: subject.title, collection: subject.collection }}
          subjectCase={<SubjectCase subject={subject} />}
          seller={seller}
          network={network}
          readAt={readAt}
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
              listing={listing}
              subject={subject}
              seller={seller}
              refused={typeof refused === 'string' ? refused : null}
              idempotencyKey={randomUUID()}
              order={(provider: Provider) => orderFreeAction.bind(null, listing.id, provider)}
            />
          ) : (
            <p className="mt-8 text-muted">{t('needsScript')}</p>
          )}
        </WithoutScript>
      )}
    </PageFrame>
  )
}
