import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { getLocale, getTranslations } from 'next-intl/server'
import { isUuid } from '@/lib/core/id'
import { originFacts } from '@/app/claim/origin-facts'
import { previewOf } from '@/app/c/preview'
import {
  type PublicCollection,
  type PublicItem,
  readCollection,
  readHistory,
  readItem,
  readOfferOfItem,
  readOwners,
  readPerks,
} from '@/app/c/published'
import { PageFrame } from '@/app/language/page-frame'
import { ItemPage } from '@/components/published/item-page'
import { StructuredData } from '@/components/published/structured-data'
import { titleOf } from '@/components/ui/item-title'

type Props = { params: Promise<{ itemId: string }> }

const OWNERS = 5
const EVENTS = 20
const PERKS = 20

async function itemOf({ params }: Props): Promise<{ item: PublicItem; collection: PublicCollection } | null> {
  const { itemId } = await params
  const item = isUuid(itemId) ? await readItem(itemId) : null
  const collection = item && (await readCollection(item.collection_id))
  return item && collection && { item, collection }
}

/** The title, description and picture of an item in the page's language. */
async function textsOf({ item, collection }: { item: PublicItem; collection: PublicCollection }) {
  const [locale, t] = await Promise.all([getLocale(), getTranslations('published.item')])
  const translated = item.translations?.[locale]
  return {
    title: titleOf(item, locale),
    description: (translated?.description ?? item.description) || t('about', { collection: collection.name }),
    picture: translated?.title ? `i-${item.id}.${locale}` : `i-${item.id}`,
  }
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const found = await itemOf(props)
  if (!found) return {}
  return previewOf({ ...(await textsOf(found)), path: `/i/${found.item.id}` })
}

export default async function Page(props: Props) {
  const found = await itemOf(props)
  if (!found) notFound()
  const { item, collection } = found
  const [{ networks }, { seller, listing }, owners, history, perks] = await Promise.all([
    originFacts(),
    readOfferOfItem(item.id),
    readOwners(item.id, OWNERS),
    readHistory(item.id, EVENTS),
    readPerks(item.id, PERKS),
  ])
  const { title, description, picture } = await textsOf(found)
  return (
    <PageFrame seller={seller}>
      <ItemPage
        item={item}
        collection={collection}
        network={networks.find(({ id }) => id === item.network_id) ?? null}
        owners={owners}
        history={history}
        listing={listing}
        perks={perks?.results ?? []}
      />
      <StructuredData
        path={`/i/${item.id}`}
        data={{
          '@type': 'VisualArtwork',
          name: title,
          description,
          image: item.media.image?.full ?? `/media/preview/${picture}.png`,
          isPartOf: { '@type': 'Collection', name: collection.name, url: `/c/${collection.id}` },
          ...(seller && { creator: { '@type': 'Organization', name: seller.name } }),
        }}
      />
    </PageFrame>
  )
}
