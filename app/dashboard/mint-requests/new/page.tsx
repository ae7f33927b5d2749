import type { Metadata } from 'next'
import { MintForm } from '@/components/dashboard/items/mint-form'
import { OrderPage } from '../../items/order-page'
import { mintAction } from '../actions'

export const metadata: Metadata = { title: 'Mint an item' }

const cancel = '/dashboard/mint-requests'

export default async function MintItemPage({ searchParams }: PageProps<'/dashboard/mint-requests/new'>) {
  return (
    <OrderPage
      path="/dashboard/mint-requests/new"
      back={{ href: cancel, label: 'Mint requests' }}
      verb="mint"
      description="The tokens are minted to the address you enter. You pay for the transaction."
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
