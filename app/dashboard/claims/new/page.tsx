import type { Metadata } from 'next'
import { ClaimForm } from '@/components/dashboard/claim-form'
import { ItemPicker } from '@/components/dashboard/item-picker'
import { PageHeader } from '@/components/ui/page-header'
import { ItemPicture, titleOf } from '@/components/ui/picture'
import { TextLink } from '@/components/ui/text-link'
import { dashboardContext } from '@/lib/auth/dashboard'
import { getCollection } from '@/lib/collections/get-collection'
import { orNotFound } from '@/lib/http/or-not-found'
import { getItem } from '@/lib/items/get-item'
import { readyItems } from '../../items/ready-items'
import { sendClaimAction } from '../actions'

export const metadata: Metadata = { title: 'Send an item' }

const path = '/dashboard/claims/new'
const back = { href: '/dashboard/claims', label: 'Email claims' }

export default async function SendItemPage({ searchParams }: PageProps<'/dashboard/claims/new'>) {
  const { item_id, search } = await searchParams
  const ctx = await dashboardContext()
  if (typeof item_id !== 'string' || item_id === '') {
    const wanted = typeof search === 'string' ? search : ''
    return (
      <>
        <PageHeader back={back} title="Send an item" description="Which one?" />
        <ItemPicker path={path} search={wanted} {...await readyItems(ctx, wanted)} />
      </>
    )
  }
  const item = await orNotFound(item_id, (id) => getItem(ctx, id))
  const collection = await getCollection(ctx, item.collection_id)
  const title = titleOf(item)
  return (
    <>
      <PageHeader back={back} title={`Send “${title}”`} />
      <div className="grid items-start gap-8 lg:grid-cols-[minmax(0,1fr)_18rem]">
        <ClaimForm action={sendClaimAction} itemId={item.id} editions={collection.token_type === 'ERC1155'} cancel="/dashboard/claims" />
        <figure className="overflow-hidden rounded-lg border bg-pane shadow-lift max-lg:order-first max-lg:max-w-48">
          <ItemPicture item={item} size="thumb" className="w-full" />
          <figcaption className="grid gap-1 p-4 text-sm">
            <span className="font-medium wrap-anywhere">{title}</span>
            <span className="text-muted">{collection.name}</span>
            <TextLink href={path}>Choose another</TextLink>
          </figcaption>
        </figure>
      </div>
    </>
  )
}
