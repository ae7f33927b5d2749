import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { isUuid } from '@/lib/core/id'
import { originFacts } from '@/app/claim/origin-facts'
import { previewOf } from '@/app/c/preview'
import { type PublicCollection, readCollection, readItems, readOfferOfCollection } from '@/app/c/published'
import { PageFrame } from '@/app/language/page-frame'
import { CollectionPage } from '@/components/published/collection-page'
import { StructuredData } from '@/components/published/structured-data'

type Props = { params: Promise<{ collectionId: string }>; searchParams: Promise<{ cursor?: string | string[] }> }

const ITEMS = 24

async function collectionOf({ params }: Props): Promise<PublicCollection | null> {
  const { collectionId } = await params
  return isUuid(collectionId) ? readCollection(collectionId) : null
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const collection = await collectionOf(props)
  if (!collection) return {}
  const t = await getTranslations('published.collection')
  return previewOf({
    title: collection.name,
    description: collection.description || t('about'),
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
    readOfferOfCollection(collection.id),
    readItems(collection.id, after, ITEMS),
  ])
  if (!items || !offer) notFound()
  const { seller, perks } = offer
  return (
    <PageFrame seller={seller}>
      <CollectionPage
        collection={collection}
        network={networks.find(({ id }) => id === collection.network_id) ?? null}
        items={items}
        perks={perks}
        isFirst={after === null}
      />
      <StructuredData
        path={`/c/${collection.id}`}
        data={{
          '@type': 'Collection',
          name: collection.name,
          ...(collection.description && { description: collection.description }),
          image: `/media/preview/c-${collection.id}.png`,
          collectionSize: items.total_results,
          creator: { '@type': 'Organization', name: seller.name },
        }}
      />
    </PageFrame>
  )
}
