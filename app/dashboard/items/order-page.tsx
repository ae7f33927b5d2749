import type { ReactNode } from 'react'
import { ItemPicker } from '@/components/dashboard/items/item-picker'
import { PageHeader } from '@/components/ui/page-header'
import { ItemPicture, titleOf } from '@/components/ui/picture'
import { TextLink } from '@/components/ui/text-link'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { getCollection } from '@/lib/catalog/collections/get-collection'
import { orNotFound } from '@/lib/platform/http/or-not-found'
import { getItem } from '@/lib/catalog/items/get-item'
import { readyItems } from './ready-items'

const MOST = 50

type Item = Awaited<ReturnType<typeof getItem>>
export type Ordered = { item: Item; title: string; collectionName: string; editions: boolean }

type Props = {
  path: string
  back: { href: string; label: string }
  /** Sending, minting: what is done with an item. */
  verb: string
  description?: string
  searchParams: Record<string, string | string[] | undefined>
  one: (item: Ordered) => ReactNode
  many: (items: Ordered[]) => ReactNode
}

/** Choosing an item by its picture, then what should be done with it; or with several that were chosen in the list. */
export async function OrderPage({ path, back, verb, description, searchParams, one, many }: Props) {
  const ctx = await dashboardContext()
  const ids = [...new Set([searchParams.item_id ?? []].flat().filter(Boolean))].slice(0, MOST)
  if (ids.length === 0) {
    const wanted = typeof searchParams.search === 'string' ? searchParams.search : ''
    return (
      <>
        <PageHeader back={back} title={`${verb} an item`} description="Which one?" />
        <ItemPicker
          path={path}
          search={wanted}
          keep={{ campaign_id: typeof searchParams.campaign_id === 'string' ? searchParams.campaign_id : null }}
          {...await readyItems(ctx, wanted)}
        />
      </>
    )
  }
  const items = await Promise.all(
    ids.map(async (id): Promise<Ordered> => {
      const item = await orNotFound(id, (known) => getItem(ctx, known))
      const collection = await getCollection(ctx, item.collection_id)
      return {
        item,
        title: titleOf(item),
        collectionName: collection.name,
        editions: collection.token_type === 'ERC1155',
      }
    }),
  )
  const [first] = items
  if (items.length > 1 || !first)
    return (
      <>
        <PageHeader back={back} title={`${verb} ${items.length} items`} description={description} />
        {many(items)}
      </>
    )
  return (
    <>
      <PageHeader back={back} title={`${verb} “${first.title}”`} description={description} />
      <div className="grid items-start gap-8 lg:grid-cols-[minmax(0,1fr)_18rem]">
        {one(first)}
        <figure className="overflow-hidden rounded-lg border bg-pane shadow-lift max-lg:order-first max-lg:max-w-48">
          <ItemPicture item={first.item} size="thumb" className="w-full" />
          <figcaption className="grid gap-1 p-4 text-sm">
            <span className="font-medium wrap-anywhere">{first.title}</span>
            <span className="text-muted">{first.collectionName}</span>
            <TextLink href={path}>Choose another</TextLink>
          </figcaption>
        </figure>
      </div>
    </>
  )
}
