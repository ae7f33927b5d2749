'use client'

import { useInfiniteQuery } from '@tanstack/react-query'
import { useFormatter, useLocale, useTranslations } from 'next-intl'
import { Badge } from '@/components/ui/badge'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { writingOf } from '@/components/ui/quoted'
import { Skeleton } from '@/components/ui/skeleton'
import { ItemGrid } from '../published/item-grid'
import type { NetworkFacts } from '../shared/network'
import { type Holder, listOwnItems, type WalletItem } from './items'
import { PlaceLink } from './place-link'

type Props = {
  holder: Holder
  /** The visitor's own wallet, and not an address that is looked at. */
  isOwn: boolean
  networks: NetworkFacts[]
}

/** The items that an address owns, newest first, under the collections that they belong to. */
export function OwnItems({ holder, isOwn, networks }: Props) {
  const t = useTranslations('ownWallet.items')
  const tCommon = useTranslations('common')
  const format = useFormatter()
  const items = useInfiniteQuery({
    queryKey: ['items', holder.address, holder.proof],
    queryFn: ({ pageParam }) => listOwnItems(holder, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => (page.has_more ? page.cursor : null),
    refetchInterval: 15_000,
  })
  const owned = items.data?.pages.flatMap((page) => page.results) ?? []
  const isOffline = items.fetchStatus === 'paused'
  const late = networks.flatMap(({ id, name }) => (items.data?.pages[0]?.late_networks.includes(id) ? [name] : []))
  return (
    <section aria-labelledby="items" className="grid gap-6">
      <h2 id="items" className="text-xl font-medium">
        {t(isOwn ? 'yours' : 'its')}
      </h2>
      {items.isPending && !isOffline && (
        <div className="grid grid-cols-2 gap-4 sm:grid-cols-3 lg:grid-cols-4">
          <Skeleton className="aspect-square" />
          <Skeleton className="aspect-square" />
        </div>
      )}
      {isOffline && (
        <Alert tone="warning" live title={t('offline')}>
          {t(items.isPending ? 'offlineNone' : 'offlineOld')}
        </Alert>
      )}
      {items.isError && (
        <Alert tone="warning" live action={<Button onClick={() => items.refetch()}>{tCommon('tryAgain')}</Button>}>
          {t('failed')}
        </Alert>
      )}
      {late.length > 0 && (
        <Alert tone="warning" live>
          {t('late', { networks: format.list(late) })}
        </Alert>
      )}
      {items.isSuccess && owned.length === 0 && (
        <Card flush>
          <EmptyState title={t('none')}>{t('noneLead')}</EmptyState>
        </Card>
      )}
      {groupsOf(owned).map(([id, group]) => (
        <Collection key={id} items={group} holder={holder} networks={networks} />
      ))}
      {items.hasNextPage && (
        <Button busy={items.isFetchingNextPage} onClick={() => items.fetchNextPage()} className="justify-self-center">
          {t('more')}
        </Button>
      )}
    </section>
  )
}

/** Collections in the order of their newest items, so that further items only ever come after those that are shown. */
function groupsOf(items: readonly WalletItem[]): [string, WalletItem[]][] {
  const groups = new Map<string, WalletItem[]>()
  for (const item of items) {
    const group = groups.get(item.collection_id)
    if (group) group.push(item)
    else groups.set(item.collection_id, [item])
  }
  return [...groups]
}

function Collection({ items, holder, networks }: Pick<Props, 'holder' | 'networks'> & { items: WalletItem[] }) {
  const t = useTranslations('ownWallet.items')
  const format = useFormatter()
  const [{ collection_id: id, collection_name: name, is_public: isPublic, network_id: networkId }] = items as [
    WalletItem,
  ]
  const network = networks.find((one) => one.id === networkId)
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <h3 id={`c-${id}`} {...writingOf(name, useLocale())} className="min-w-0 font-medium wrap-anywhere">
          {name}
        </h3>
        <span className="text-sm text-muted">{network?.name}</span>
        {!isPublic && <Badge>{t('private')}</Badge>}
      </div>
      <ItemGrid
        items={items}
        labelledBy={`c-${id}`}
        line={({ quantity }) => (Number(quantity) > 1 ? `× ${format.number(Number(quantity))}` : undefined)}
        link={(item, tile) => <PlaceLink to={{ address: holder.address, item: item.id }} {...tile} />}
      />
    </div>
  )
}
