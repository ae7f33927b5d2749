import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { isUuid } from '@/lib/core/id'
import { readCollectionOffer } from '@/lib/onchain/perks/read-collection-offer'
import { originFacts } from '@/app/claim/origin-facts'
import { previewOf } from '@/app/c/preview'
import { type PublicCollection, readCollection, readItems } from '@/app/c/published'
import { CollectionPage } from '@/components/published/collection-page'
import { StructuredData } from '@/components/published/structured-data'
import { Frame } from '@/components/shared/frame'

type Props = { params: Promise<{ collectionId: string }>; searchParams: Promise<{ cursor?: string | string[] }> }

const ITEMS = 24

async function collectionOf({ params }: Props): Promise<PublicCollection | null> {
  const { collectionId } = await params
  return isUuid(collectionId) ? readCollection(collectionId) : null
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const collection = await collectionOf(props)
  if (!collection) return {}
  return previewOf({
    title: collection.name,
    description: collection.description || `A collection of digital collectibles.`,
    path: `/c/${collection.id}`,
    picture: `c-${collection.id}`,
  })
}

export default async function Page(props: Props) {
  const collection = await collectionOf(props)
  if (!collection) notFound()
  const { cursor } = await props.searchParams
  const after = typeof cursor === 'string' ? cursor : null
  const [{ networks }, offer, items] = await Promise.all([
    originFacts(),
    readCollectionOffer(collection.id),
    readItems(collection.id, after, ITEMS),
  ])
  if (!items || !offer) notFound()
  const { seller, perks } = offer
  return (
    <Frame seller={seller}>
      <CollectionPage
        collection={collection}
        network={networks.find(({ id }) => id === collection.network_id) ?? null}
        items={items}
        perks={perks}
        isFirst={after === null}
      />
      <StructuredData
        data={{
          '@type': 'Collection',
          name: collection.name,
          ...(collection.description && { description: collection.description }),
          url: `/c/${collection.id}`,
          image: `/media/preview/c-${collection.id}.png`,
          collectionSize: items.total_results,
          creator: { '@type': 'Organization', name: seller.name },
        }}
      />
    </Frame>
  )
}
