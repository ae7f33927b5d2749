import { Link } from '@/components/ui/link'
import { useLocale, useTranslations } from 'next-intl'
import { WidePicture } from '@/components/claim/item-case'
import { ItemAbout, ItemHead } from '@/components/claim/item-head'
import { ChainLink } from '@/components/ui/chain-link'
import { LinkButton } from '@/components/ui/link-button'
import { Card } from '@/components/ui/card'
import { Fact, Facts } from '@/components/ui/facts'
import { Quoted } from '@/components/ui/quoted'
import type { NetworkFacts } from '@/components/shared/network'
import { amountOf } from '@/lib/core/money'
import type { getPublicCollection } from '@/lib/platform/api/collections'
import type { Answer } from '@/lib/platform/api/endpoint'
import type { listHistory, listOwners } from '@/lib/platform/api/history'
import type { getPublicItem } from '@/lib/platform/api/items'
import { Holder, ItemEvents } from './item-events'
import { HoldersGet, type PublicPerk } from './holders-get'
import { RevealNote } from './reveal-note'
import { STANDARDS } from './standards'

type Props = {
  item: Answer<typeof getPublicItem>
  collection: Answer<typeof getPublicCollection>
  network: NetworkFacts | null
  owners: Answer<typeof listOwners> | null
  history: Answer<typeof listHistory> | null
  /** The listing through which it can be bought now. */
  listing: { id: string; price: string; currency: string; price_currency_decimals: number } | null
  perks: readonly PublicPerk[]
}

/** A public item: what it is, who has it, where it was, and how to buy it. */
export function ItemPage({ item, collection, network, owners, history, listing, perks }: Props) {
  const t = useTranslations('published.item')
  const tFacts = useTranslations('published.facts')
  const explorerUrl = network?.explorerUrl ?? null
  return (
    <div className="grid gap-10">
      <div className="grid gap-8 lg:grid-cols-2 lg:items-start lg:gap-12">
        <ItemHead item={item} picture={<WidePicture item={item} />} quantity={1} prominence="large" />
        <div className="grid gap-6">
          <p>
            <Link href={`/c/${collection.id}`} prefetch={false} className="rounded-sm text-muted hover:text-ink">
              <Quoted>{collection.name}</Quoted>
            </Link>
          </p>
          {listing && <Offer listing={listing} />}
          <ItemAbout item={item} />
          {perks.length > 0 && <HoldersGet perks={perks} isUnique={item.token_type === 'ERC721'} />}
          <Facts className="rounded-md border bg-pane px-4">
            <Fact name={tFacts(owners && owners.total_results > 1 ? 'owners' : 'owner')}>
              <Owners owners={owners} />
            </Fact>
            {network && <Fact name={tFacts('network')}>{network.name}</Fact>}
            {item.contract_address && (
              <Fact name={tFacts('contract')}>
                <ChainLink value={item.contract_address} kind="address" explorerUrl={explorerUrl} />
              </Fact>
            )}
            <Fact name={tFacts('token')}>
              <span className="figures break-all">{item.token_id}</span>
            </Fact>
            <Fact name={tFacts('standard')}>{STANDARDS[item.token_type]}</Fact>
          </Facts>
          {collection.reveal && <RevealNote reveal={collection.reveal} />}
        </div>
      </div>
      <Card title={t('history')} description={t('historyLead')} flush>
        <ItemEvents entries={history?.results ?? []} explorerUrl={explorerUrl} />
      </Card>
    </div>
  )
}

function Offer({ listing }: { listing: NonNullable<Props['listing']> }) {
  const t = useTranslations('published.item')
  const locale = useLocale()
  const price = BigInt(listing.price)
  return (
    <div className="flex flex-wrap items-center justify-between gap-4 rounded-md border bg-pane p-4">
      <span className="text-xl font-medium">
        {price === 0n ? (
          t('free')
        ) : (
          <bdi>{amountOf(price, listing.currency, listing.price_currency_decimals, locale)}</bdi>
        )}
      </span>
      <LinkButton href={`/l/${listing.id}`} variant="primary" size="lg">
        {t(price === 0n ? 'get' : 'buy')}
      </LinkButton>
    </div>
  )
}

function Owners({ owners }: { owners: Props['owners'] }) {
  const t = useTranslations('published.facts')
  if (!owners || owners.results.length === 0) return <span className="text-muted">{t('nobody')}</span>
  const more = owners.total_results - owners.results.length
  return (
    <ul className="grid justify-items-end gap-1">
      {owners.results.map(({ address, quantity }) => (
        <li key={address}>
          <Holder address={address} />
          {Number(quantity) > 1 && <span className="text-muted">{` × ${quantity}`}</span>}
        </li>
      ))}
      {more > 0 && <li className="text-muted">{t('more', { count: more })}</li>}
    </ul>
  )
}
