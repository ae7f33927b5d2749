import { useTranslations } from 'next-intl'
import { Address } from '@/components/ui/address'
import { EmptyState } from '@/components/ui/empty-state'
import { Pager } from '@/components/ui/pager'
import type { NetworkFacts } from '@/components/shared/network'
import type { Answer } from '@/lib/platform/api/endpoint'
import type { listPublicItems } from '@/lib/platform/api/items'
import { ItemGrid } from './item-grid'

type Props = {
  address: string
  networks: readonly NetworkFacts[]
  items: Pick<Answer<typeof listPublicItems>, 'results' | 'has_more' | 'cursor'>
  isFirst: boolean
}

/** The items that an address owns in public collections. */
export function OwnerPage({ address, networks, items, isFirst }: Props) {
  const t = useTranslations('published.owner')
  const path = `/o/${address}`
  return (
    <div className="grid gap-8">
      <div className="grid gap-2 border-s-2 border-glass ps-4">
        <h1 className="text-2xl font-medium">{t('title')}</h1>
        <Address value={address} whole />
      </div>
      {items.results.length === 0 ? (
        <EmptyState title={t('none')}>{t('noneHint')}</EmptyState>
      ) : (
        <ItemGrid items={items.results} line={({ network_id }) => networks.find(({ id }) => id === network_id)?.name} />
      )}
      <Pager
        first={isFirst ? null : path}
        next={items.has_more && items.cursor ? `${path}?cursor=${encodeURIComponent(items.cursor)}` : null}
      />
    </div>
  )
}
