import { ChainLink } from '@/components/ui/chain-link'
import { EmptyState } from '@/components/ui/empty-state'
import { Fact, Facts } from '@/components/ui/facts'
import { Pager } from '@/components/ui/pager'
import { TextLink } from '@/components/ui/text-link'
import type { NetworkFacts } from '@/components/shared/network'
import type { getPublicCollection } from '@/lib/platform/api/collections'
import type { Answer } from '@/lib/platform/api/endpoint'
import type { listPublicItems } from '@/lib/platform/api/items'
import { ItemGrid } from './item-grid'
import { RevealNote } from './reveal-note'

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
  const path = `/c/${collection.id}`
  return (
    <div className="grid gap-10">
      <div className="grid gap-8 lg:grid-cols-[minmax(0,1fr)_22rem] lg:items-start">
        <div className="grid gap-4 border-l-2 border-glass pl-4">
          <h1 dir="auto" className="text-3xl font-medium wrap-anywhere">
            {collection.name}
          </h1>
          {collection.description && (
            <p dir="auto" className="max-w-prose whitespace-pre-line text-muted wrap-anywhere">
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
          <Fact name="Items">{items.total_results.toLocaleString('en')}</Fact>
          {network && <Fact name="Network">{network.name}</Fact>}
          <Fact name="Contract">
            <ChainLink value={collection.contract} kind="address" explorerUrl={network?.explorerUrl ?? null} />
          </Fact>
          <Fact name="Standard">{collection.token_type === 'ERC721' ? 'ERC-721' : 'ERC-1155'}</Fact>
          {collection.soulbound && <Fact name="Transfers">None: items stay with whoever gets them</Fact>}
          {collection.royalty_info && collection.royalty_info.amount_bps > 0 && (
            <Fact name="Royalty">{collection.royalty_info.amount_bps / 100} %</Fact>
          )}
        </Facts>
      </div>
      {collection.reveal && <RevealNote reveal={collection.reveal} />}
      <section aria-labelledby="items" className="grid gap-5">
        <h2 id="items" className="text-xl font-medium">
          Items
        </h2>
        {perks && <p className="text-muted">{PERKS[perks]}</p>}
        {items.results.length === 0 ? (
          <EmptyState title="No items yet">They appear here once they are ready.</EmptyState>
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

const PERKS = {
  EVERY: 'Whoever holds one of them gets something besides. Its page says what.',
  SOME: 'Whoever holds certain ones of them gets something besides. Their pages say what.',
}

const hostOf = (address: string): string => new URL(address).host
