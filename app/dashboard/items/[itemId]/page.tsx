import type { Metadata } from 'next'
import { cache } from 'react'
import { Lock, Mail, Pencil, Stamp, Tag } from 'lucide-react'
import { ChainLink } from '@/components/ui/chain-link'
import { ConfirmAction } from '@/components/dashboard/forms/confirm-action'
import { Holds } from '@/components/dashboard/items/holds'
import { hrefOf } from '@/components/dashboard/lists/href'
import { CustodyNote } from '@/components/dashboard/items/custody'
import { PerksCard } from '@/components/dashboard/perks/perks-card'
import { Refresh } from '@/components/dashboard/shell/refresh'
import { StockBar } from '@/components/dashboard/items/stock-bar'
import { TokenBadge } from '@/components/dashboard/items/token-badge'
import { Alert } from '@/components/ui/alert'
import { Button, LinkButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Fact, Facts } from '@/components/ui/facts'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { PageHeader } from '@/components/ui/page-header'
import { ItemPicture, titleOf } from '@/components/ui/picture'
import { Table, Tbody, Td, Th, Thead, Tr } from '@/components/ui/table'
import { TextLink } from '@/components/ui/text-link'
import { RelativeTime } from '@/components/ui/relative-time'
import { type Context, may } from '@/lib/platform/auth/context'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { getCollection } from '@/lib/catalog/collections/get-collection'
import { listHistory } from '@/lib/onchain/history/list-history'
import { listOwners } from '@/lib/onchain/history/list-owners'
import { perksOf } from '@/lib/onchain/perks/perks-of'
import { orNotFound } from '@/lib/platform/http/or-not-found'
import { getItem } from '@/lib/catalog/items/get-item'
import { listItemHolds } from '@/lib/catalog/items/list-item-holds'
import { networkFacts } from '@/lib/offers/networks/network-facts'
import { isCustodianConfigured } from '@/lib/stock/custody'
import { deletePerkAction } from '../../perks/actions'
import { deleteItemAction, lockItemAction } from '../actions'

export async function generateMetadata({ params }: PageProps<'/dashboard/items/[itemId]'>): Promise<Metadata> {
  return { title: titleOf(await readItem((await params).itemId)) }
}

/** Read once for the page and its metadata. */
const readItem = cache(async (itemId: string) => {
  const ctx = await dashboardContext()
  return orNotFound(itemId, (id) => getItem(ctx, id))
})

/** The item with what else is shown of it but its stock. */
async function readShown(ctx: Context, itemId: string) {
  const item = await readItem(itemId)
  const [collection, perks, history, owners] = await Promise.all([
    getCollection(ctx, item.collection_id),
    may(ctx, 'items:read') ? perksOf(ctx, { itemId: item.id, collectionId: item.collection_id }) : [],
    item.locked ? listHistory(ctx, item.id, { limit: 20 }) : null,
    item.locked ? listOwners(ctx, item.id, { limit: 20 }) : null,
  ])
  return { item, collection, perks, history, owners }
}

const HAPPENED = { MINT: 'Minted', TRANSFER: 'Passed on', BURN: 'Burned' } as const

function unitsHint({ token_type, max_supply }: { token_type: string | null; max_supply: bigint | null }): string {
  if (token_type === null)
    return 'For a collection with many of each. Left empty: one for ERC-721, no limit for ERC-1155.'
  return max_supply === null ? 'Left empty, there is no limit.' : 'The collection has a limit, so each item needs one.'
}

const written = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

export default async function ItemPage({ params }: PageProps<'/dashboard/items/[itemId]'>) {
  const { itemId } = await params
  const ctx = await dashboardContext()
  const [{ item, collection, perks, history, owners }, holds] = await Promise.all([
    readShown(ctx, itemId),
    orNotFound(itemId, (id) => listItemHolds(ctx, id, { limit: 50 })),
  ])
  const explorerUrl = networkFacts(ctx).find(({ id }) => id === collection.network_id)?.explorerUrl ?? null
  const here = `/dashboard/items/${item.id}`
  const title = titleOf(item)
  const deployed = collection.deployment?.status === 'SUCCESS'
  const free = holds.free === null || holds.free > 0n
  const [mayWrite, maySend, mayMint, maySell] = [
    may(ctx, 'items:write'),
    may(ctx, 'email_claims:write'),
    may(ctx, 'mint_requests:write'),
    may(ctx, 'listings:write'),
  ]
  const traits = Object.entries(item.attributes).filter(
    ([name]) => !['title', 'description', 'image_url'].includes(name),
  )
  const { description } = item.attributes
  return (
    <>
      {item.token_status === 'MINTING' && <Refresh />}
      <PageHeader
        back={{
          href: hrefOf('/dashboard/items', { collection_id: collection.id }),
          label: `Items of ${collection.name}`,
        }}
        title={title}
        badge={<TokenBadge item={item} />}
        actions={
          <>
            {mayWrite && (
              <LinkButton href={`${here}/edit`} icon={<Pencil aria-hidden="true" className="size-4" />}>
                Edit
              </LinkButton>
            )}
            {mayWrite && !item.locked && (
              <ConfirmAction
                action={lockItemAction.bind(null, item.id)}
                trigger={
                  <Button variant="primary" icon={<Lock aria-hidden="true" className="size-4" />}>
                    Lock
                  </Button>
                }
                title={`Lock “${title}”?`}
                description="Locking gives it its token id and fixes how many units there can be. It can’t be undone, and the item can’t be deleted any more."
                confirm="Lock the item"
                tone="primary"
              >
                {collection.token_type !== 'ERC721' && (
                  <Field label="Units" hint={unitsHint(collection)}>
                    <Input name="max_supply" inputMode="numeric" />
                  </Field>
                )}
                {collection.token_id_assignment_strategy === 'MANUAL' && (
                  <Field label="Token id" required>
                    <Input name="token_id" inputMode="numeric" className="figures" />
                  </Field>
                )}
              </ConfirmAction>
            )}
            {item.locked && deployed && free && mayMint && (
              <LinkButton
                href={hrefOf('/dashboard/mint-requests/new', { item_id: item.id })}
                icon={<Stamp aria-hidden="true" className="size-4" />}
              >
                {holds.kept > 0n ? 'Hand over' : 'Mint'}
              </LinkButton>
            )}
            {item.locked && deployed && free && maySell && (
              <LinkButton
                href={hrefOf('/dashboard/listings/new', { item_id: item.id })}
                icon={<Tag aria-hidden="true" className="size-4" />}
              >
                Sell
              </LinkButton>
            )}
            {item.locked && deployed && free && maySend && (
              <LinkButton
                href={hrefOf('/dashboard/claims/new', { item_id: item.id })}
                variant="primary"
                icon={<Mail aria-hidden="true" className="size-4" />}
              >
                Send by email
              </LinkButton>
            )}
          </>
        }
      />
      {item.locked && !deployed && (
        <Alert
          tone="info"
          action={
            <LinkButton size="sm" href={`/dashboard/collections/${collection.id}`}>
              Go to the collection
            </LinkButton>
          }
        >
          The item is ready. Deploy its collection, and it can be sent and minted.
        </Alert>
      )}
      <div className="grid items-start gap-6 lg:grid-cols-[20rem_minmax(0,1fr)]">
        <figure className="overflow-hidden rounded-lg border bg-pane shadow-lift">
          <ItemPicture item={item} className="w-full" />
          {typeof description === 'string' && (
            <figcaption className="p-5 text-sm wrap-anywhere whitespace-pre-line text-muted">{description}</figcaption>
          )}
        </figure>
        <div className="grid gap-6">
          <Card
            title="Units"
            description={
              holds.kept > 0n
                ? 'Every unit is either free, held for somebody, or with others on the chain.'
                : 'Every unit is either free, held for somebody, or on the chain.'
            }
          >
            {item.locked ? (
              <div className="grid gap-4">
                <StockBar minted={holds.minted} inCustody={holds.kept} held={holds.held} free={holds.free} />
                {holds.kept_by && (
                  <CustodyNote
                    by={holds.kept_by}
                    held={holds.held > 0n}
                    reachable={isCustodianConfigured(ctx, { custodian: holds.kept_by })}
                    explorerUrl={explorerUrl}
                  />
                )}
                <Holds holds={holds.results} />
              </div>
            ) : (
              <p className="text-sm text-muted">Not fixed until the item is locked.</p>
            )}
          </Card>
          <Card title="Details">
            <Facts>
              <Fact name="Collection">
                <TextLink href={`/dashboard/collections/${collection.id}`}>{collection.name}</TextLink>
              </Fact>
              <Fact name="Token id">
                <span className="figures">{item.token_id ?? 'Given when it is locked'}</span>
              </Fact>
              {deployed && item.locked && collection.is_public && (
                <Fact name="Public page">
                  <TextLink href={`/i/${item.id}`}>Open it</TextLink>
                </Fact>
              )}
              {traits.map(([name, value]) => (
                <Fact key={name} name={name}>
                  {written(value)}
                </Fact>
              ))}
              <Fact name="Royalty">
                {item.royalty_info.amount_bps > 0 ? `${item.royalty_info.amount_bps / 100} %` : 'None'}
              </Fact>
              <Fact name="Changed">
                <RelativeTime at={item.updated_at} />
              </Fact>
            </Facts>
            {mayWrite && !item.locked && (
              <div className="mt-4 border-t pt-4">
                <ConfirmAction
                  action={deleteItemAction.bind(null, item.id)}
                  trigger={
                    <Button size="sm" variant="danger">
                      Delete
                    </Button>
                  }
                  title={`Delete “${title}”?`}
                  description="It isn’t locked, so nobody owns it. This can’t be undone."
                  confirm="Delete the item"
                />
              </div>
            )}
          </Card>
          <PerksCard
            perks={perks}
            place={{ item_id: item.id }}
            obstacle={
              collection.reveal?.state === 'HIDDEN'
                ? 'An item that isn’t revealed has no perks of its own: they would tell what it is. Add them to its collection.'
                : null
            }
            deletion={may(ctx, 'items:write') ? (id) => deletePerkAction.bind(null, id) : null}
          />
          {owners && owners.total_results > 0 && (
            <Card
              title="Owners"
              description={
                owners.total_results > owners.results.length
                  ? `The first ${owners.results.length} of ${owners.total_results}`
                  : undefined
              }
            >
              <Facts>
                {owners.results.map(({ address, quantity }) => (
                  <Fact key={address} name={<ChainLink value={address} kind="address" explorerUrl={explorerUrl} />}>
                    {quantity === 1n ? '1 unit' : `${quantity} units`}
                  </Fact>
                ))}
              </Facts>
            </Card>
          )}
          {history && history.total_results > 0 && (
            <Card flush title="History" description="What the chain says.">
              <Table caption="History">
                <Thead>
                  <Th>What</Th>
                  <Th>To</Th>
                  <Th>Transaction</Th>
                  <Th>When</Th>
                </Thead>
                <Tbody>
                  {history.results.map(({ type, quantity, timestamp, data }) => (
                    <Tr key={`${data.transaction.tx_hash}-${data.transaction.log_index}-${data.to.address}`}>
                      <Td rowHeader>
                        {HAPPENED[type]}
                        {quantity > 1n && ` (${quantity})`}
                      </Td>
                      <Td label="To">
                        {type === 'BURN' ? (
                          '–'
                        ) : (
                          <ChainLink value={data.to.address} kind="address" explorerUrl={explorerUrl} />
                        )}
                      </Td>
                      <Td label="Transaction">
                        <ChainLink value={data.transaction.tx_hash} kind="tx" explorerUrl={explorerUrl} />
                      </Td>
                      <Td label="When">
                        <RelativeTime at={timestamp} />
                      </Td>
                    </Tr>
                  ))}
                </Tbody>
              </Table>
            </Card>
          )}
        </div>
      </div>
    </>
  )
}
