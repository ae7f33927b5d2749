import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { now } from '@/lib/core/clock'
import { isUuid } from '@/lib/core/id'
import { readItemOffer } from '@/lib/onchain/history/item-offer'
import { originFacts } from '@/app/claim/origin-facts'
import { previewOf } from '@/app/c/preview'
import {
  type PublicCollection,
  type PublicItem,
  readCollection,
  readHistory,
  readItem,
  readOwners,
  readPerks,
} from '@/app/c/published'
import { ItemPage } from '@/components/published/item-page'
import { StructuredData } from '@/components/published/structured-data'
import { Frame } from '@/components/shared/frame'

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

const describedBy = ({ item, collection }: { item: PublicItem; collection: PublicCollection }): string =>
  item.description || `An item of ${collection.name}.`

export async function generateMetadata(props: Props): Promise<Metadata> {
  const found = await itemOf(props)
  if (!found) return {}
  return previewOf({
    title: found.item.title,
    description: describedBy(found),
    path: `/i/${found.item.id}`,
    picture: `i-${found.item.id}`,
  })
}

export default async function Page(props: Props) {
  const found = await itemOf(props)
  if (!found) notFound()
  const { item, collection } = found
  const [{ networks }, { seller, listing }, owners, history, perks] = await Promise.all([
    originFacts(),
    readItemOffer(item.id, now()),
    readOwners(item.id, OWNERS),
    readHistory(item.id, EVENTS),
    readPerks(item.id, PERKS),
  ])
  return (
    <Frame seller={seller}>
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
        data={{
          '@type': 'VisualArtwork',
          name: item.title,
          description: describedBy(found),
          url: `/i/${item.id}`,
          image: item.media.image?.full ?? `/media/preview/i-${item.id}.png`,
          isPartOf: { '@type': 'Collection', name: collection.name, url: `/c/${collection.id}` },
          ...(seller && { creator: { '@type': 'Organization', name: seller.name } }),
        }}
      />
    </Frame>
  )
}
