import Link from 'next/link'
import { ItemAbout, ItemHead } from '@/components/claim/item-case'
import { ChainLink } from '@/components/ui/chain-link'
import { LinkButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Fact, Facts } from '@/components/ui/facts'
import type { NetworkFacts } from '@/components/shared/network'
import { amountOf } from '@/lib/core/money'
import type { getPublicCollection } from '@/lib/platform/api/collections'
import type { Answer } from '@/lib/platform/api/endpoint'
import type { listHistory, listOwners } from '@/lib/platform/api/history'
import type { getPublicItem } from '@/lib/platform/api/items'
import { Holder, ItemEvents } from './item-events'
import { HoldersGet, type PublicPerk } from './holders-get'
import { RevealNote } from './reveal-note'

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
  const explorerUrl = network?.explorerUrl ?? null
  return (
    <div className="grid gap-10">
      <div className="grid gap-8 lg:grid-cols-2 lg:items-start lg:gap-12">
        <ItemHead item={item} quantity={1} prominence="large" />
        <div className="grid gap-6">
          <p>
            <Link href={`/c/${collection.id}`} prefetch={false} className="rounded-sm text-muted hover:text-ink">
              {collection.name}
            </Link>
          </p>
          {listing && <Offer listing={listing} />}
          <ItemAbout item={item} />
          {perks.length > 0 && <HoldersGet perks={perks} isUnique={item.token_type === 'ERC721'} />}
          <Facts className="rounded-md border bg-pane px-4">
            <Fact name={owners && owners.total_results > 1 ? 'Owners' : 'Owner'}>
              <Owners owners={owners} />
            </Fact>
            {network && <Fact name="Network">{network.name}</Fact>}
            {item.contract_address && (
              <Fact name="Contract">
                <ChainLink value={item.contract_address} kind="address" explorerUrl={explorerUrl} />
              </Fact>
            )}
            <Fact name="Token">
              <span className="figures break-all">{item.token_id}</span>
            </Fact>
            <Fact name="Standard">{item.token_type === 'ERC721' ? 'ERC-721' : 'ERC-1155'}</Fact>
          </Facts>
          {collection.reveal && <RevealNote reveal={collection.reveal} />}
        </div>
      </div>
      <Card title="History" description="As recorded on the chain, newest first." flush>
        <ItemEvents entries={history?.results ?? []} explorerUrl={explorerUrl} />
      </Card>
    </div>
  )
}

function Offer({ listing }: { listing: NonNullable<Props['listing']> }) {
  const price = BigInt(listing.price)
  return (
    <div className="flex flex-wrap items-center justify-between gap-4 rounded-md border bg-pane p-4">
      <span className="text-xl font-medium">
        {price === 0n ? 'Free' : amountOf(price, listing.currency, listing.price_currency_decimals)}
      </span>
      <LinkButton href={`/l/${listing.id}`} variant="primary" size="lg">
        {price === 0n ? 'Get it' : 'Buy it'}
      </LinkButton>
    </div>
  )
}

function Owners({ owners }: { owners: Props['owners'] }) {
  if (!owners || owners.results.length === 0) return <span className="text-muted">Nobody yet</span>
  const more = owners.total_results - owners.results.length
  return (
    <ul className="grid justify-items-end gap-1">
      {owners.results.map(({ address, quantity }) => (
        <li key={address}>
          <Holder address={address} />
          {Number(quantity) > 1 && <span className="text-muted"> × {quantity}</span>}
        </li>
      ))}
      {more > 0 && <li className="text-muted">and {more.toLocaleString('en')} more</li>}
    </ul>
  )
}
