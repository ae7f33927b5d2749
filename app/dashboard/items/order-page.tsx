import type { ReactElement } from 'react'
import { notFound } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { ItemPicker } from '@/components/dashboard/items/item-picker'
import { PageHeader } from '@/components/ui/page-header'
import { titleOf } from '@/components/ui/item-title'
import { ItemPicture } from '@/components/ui/picture'
import { TextLink } from '@/components/ui/text-link'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { findCollections } from '@/lib/catalog/collections/find-collections'
import { type AdminItem, findItems } from '@/lib/catalog/items/find-items'
import { isUuid } from '@/lib/core/id'
import type { Context } from '@/lib/platform/auth/context'
import { readyItems } from './ready-items'

const MAX_ITEMS = 50

export type ChosenItem = { item: AdminItem; title: string; collectionName: string; editions: boolean }

type Props = {
  path: string
  back: { href: string; label: string }
  /** The action on an item. */
  verb: 'send' | 'mint'
  description?: string
  searchParams: Record<string, string | string[] | undefined>
  one: (item: ChosenItem) => ReactElement
  many: (items: ChosenItem[]) => ReactElement
}

/**
 * A page that first has an item chosen by its picture, then shows a form for it. Items chosen in a list come in the
 * address.
 */
export async function OrderPage({ path, back, verb, description, searchParams, one, many }: Props) {
  const t = await getTranslations('dashboard.items')
  const ctx = await dashboardContext()
  const ids = [...new Set([searchParams.item_id ?? []].flat().filter(Boolean))].slice(0, MAX_ITEMS)
  if (ids.length === 0) {
    const wanted = typeof searchParams.search === 'string' ? searchParams.search : ''
    return (
      <>
        <PageHeader back={back} title={t(`order.${verb}.any`)} description={t('order.which')} />
        <ItemPicker
          path={path}
          search={wanted}
          keep={{ campaign_id: typeof searchParams.campaign_id === 'string' ? searchParams.campaign_id : null }}
          {...await readyItems(ctx, wanted)}
        />
      </>
    )
  }
  const items = await readChosen(ctx, ids)
  const [first] = items
  if (items.length > 1 || !first)
    return (
      <>
        <PageHeader back={back} title={t(`order.${verb}.many`, { count: items.length })} description={description} />
        {many(items)}
      </>
    )
  return (
    <>
      <PageHeader back={back} title={t(`order.${verb}.one`, { title: first.title })} description={description} />
      <div className="grid items-start gap-8 lg:grid-cols-[minmax(0,1fr)_18rem]">
        {one(first)}
        <figure className="overflow-hidden rounded-lg border bg-pane shadow-lift max-lg:order-first max-lg:max-w-48">
          <ItemPicture item={first.item} size="thumb" className="w-full" />
          <figcaption className="grid gap-1 p-4 text-sm">
            <span className="font-medium wrap-anywhere">{first.title}</span>
            <span className="text-muted">{first.collectionName}</span>
            <TextLink href={path}>{t('order.another')}</TextLink>
          </figcaption>
        </figure>
      </div>
    </>
  )
}

/** The chosen items with their collections. An unknown id shows the page for missing records. */
async function readChosen(ctx: Context, ids: string[]): Promise<ChosenItem[]> {
  if (!ids.every(isUuid)) notFound()
  const items = await findItems(ctx, ids)
  const collections = await findCollections(
    ctx,
    [...items.values()].map(({ collection_id }) => collection_id),
  )
  return ids.map((id) => {
    const item = items.get(id)
    const collection = item && collections.get(item.collection_id)
    if (!collection) notFound()
    return {
      item,
      title: titleOf(item),
      collectionName: collection.name,
      editions: collection.token_type === 'ERC1155',
    }
  })
}
