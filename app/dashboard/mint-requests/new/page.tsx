import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { MintForm } from '@/components/dashboard/items/mint-form'
import { OrderPage } from '../../items/order-page'
import { mintAction } from '../actions'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('dashboard.mintRequests')
  return { title: t('list.new') }
}

const cancel = '/dashboard/mint-requests'

export default async function MintItemPage({ searchParams }: PageProps<'/dashboard/mint-requests/new'>) {
  const t = await getTranslations('dashboard.mintRequests')
  return (
    <OrderPage
      path="/dashboard/mint-requests/new"
      back={{ href: cancel, label: t('title') }}
      verb="mint"
      description={t('list.newText')}
      searchParams={await searchParams}
      one={({ item, editions }) => (
        <MintForm action={mintAction} items={[{ id: item.id }]} editions={editions} cancel={cancel} />
      )}
      many={(items) => (
        <MintForm
          action={mintAction}
          items={items.map(({ item, title }) => ({ id: item.id, title }))}
          editions={items.every(({ editions }) => editions)}
          cancel={cancel}
        />
      )}
    />
  )
}
