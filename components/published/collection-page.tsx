import { useLocale, useTranslations } from 'next-intl'
import { ChainLink } from '@/components/ui/chain-link'
import { EmptyState } from '@/components/ui/empty-state'
import { Fact, Facts } from '@/components/ui/facts'
import { Pager } from '@/components/ui/pager'
import { Quoted, writingOf } from '@/components/ui/quoted'
import { TextLink } from '@/components/ui/text-link'
import type { NetworkFacts } from '@/components/shared/network'
import type { getPublicCollection } from '@/lib/platform/api/collections'
import type { Answer } from '@/lib/platform/api/endpoint'
import type { listPublicItems } from '@/lib/platform/api/items'
import { formatTagOf } from '@/lib/core/format-tag'
import { ItemGrid } from './item-grid'
import { RevealNote } from './reveal-note'
import { STANDARDS } from './standards'

type Props = {
  collection: Answer<typeof getPublicCollection>
  network: NetworkFacts | null
  items: Answer<typeof listPublicItems>
  /** Which of its items bring their holders something besides. */
  perks: 'EVERY' | 'SOME' | null
  isFirst: boolean
}

/** A public collection with a page of its items. */
export function CollectionPage({ collection, network, items, perks, isFirst }: Props) {
  const t = useTranslations('published.collection')
  const tFacts = useTranslations('published.facts')
  const locale = useLocale()
  const tag = formatTagOf(locale)
  const percent = new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 2 })
  const path = `/c/${collection.id}`
  return (
    <div className="grid gap-10">
      <div className="grid gap-8 lg:grid-cols-[minmax(0,1fr)_22rem] lg:items-start">
        <div className="grid gap-4 border-s-2 border-glass ps-4">
          <h1 className="text-3xl font-medium wrap-anywhere">
            <Quoted>{collection.name}</Quoted>
          </h1>
          {collection.description && (
            <p
              {...writingOf(collection.description, locale)}
              className="max-w-prose whitespace-pre-line text-muted wrap-anywhere"
            >
              {collection.description}
            </p>
          )}
          {collection.external_link && (
            <p className="wrap-anywhere">
              <TextLink href={collection.external_link}>{hostOf(collection.external_link)}</TextLink>
            </p>
          )}
        </div>
        <Facts className="rounded-md border bg-pane px-4">
          <Fact name={t('items')}>{items.total_results.toLocaleString(tag)}</Fact>
          {network && <Fact name={tFacts('network')}>{network.name}</Fact>}
          <Fact name={tFacts('contract')}>
            <ChainLink value={collection.contract} kind="address" explorerUrl={network?.explorerUrl ?? null} />
          </Fact>
          <Fact name={tFacts('standard')}>{STANDARDS[collection.token_type]}</Fact>
          {collection.soulbound && <Fact name={tFacts('transfers')}>{tFacts('noTransfers')}</Fact>}
          {collection.royalty_info && collection.royalty_info.amount_bps > 0 && (
            <Fact name={tFacts('royalty')}>{percent.format(collection.royalty_info.amount_bps / 10_000)}</Fact>
          )}
        </Facts>
      </div>
      {collection.reveal && <RevealNote reveal={collection.reveal} />}
      <section aria-labelledby="items" className="grid gap-5">
        <h2 id="items" className="text-xl font-medium">
          {t('items')}
        </h2>
        {perks && <p className="text-muted">{t(`perks.${perks}`)}</p>}
        {items.results.length === 0 ? (
          <EmptyState title={t('none')}>{t('noneHint')}</EmptyState>
        ) : (
          <ItemGrid items={items.results} />
        )}
        <Pager
          first={isFirst ? null : path}
          next={items.has_more && items.cursor ? `${path}?cursor=${encodeURIComponent(items.cursor)}` : null}
        />
      </section>
    </div>
  )
}

const hostOf = (address: string): string => new URL(address).host
