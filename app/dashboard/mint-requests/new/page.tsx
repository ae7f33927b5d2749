import { getTranslations } from 'next-intl/server'
import { titled } from '@/app/language/titled'
import { MintForm } from '@/components/dashboard/items/mint-form'
import { OrderPage } from '../../items/order-page'
import { mintAction } from '../actions'

export const generateMetadata = titled('dashboard.mintRequests', 'list.new')

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
