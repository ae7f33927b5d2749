import type { Metadata } from 'next'
import { getFormatter, getTranslations } from 'next-intl/server'
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
import { Button } from '@/components/ui/button'
import { LinkButton } from '@/components/ui/link-button'
import { Card } from '@/components/ui/card'
import { Fact, Facts } from '@/components/ui/facts'
import { FormField } from '@/components/dashboard/forms/action-form'
import { Input } from '@/components/ui/input'
import { PageHeader } from '@/components/ui/page-header'
import { titleOf } from '@/components/ui/item-title'
import { ItemPicture } from '@/components/ui/picture'
import { DataTable } from '@/components/ui/data-table'
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
import { deletePerkAction, updatePerkAction } from '../../perks/actions'
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

function unitsHint({ token_type, max_supply }: { token_type: string | null; max_supply: bigint | null }) {
  if (token_type === null) return 'lock.unitsOpen'
  return max_supply === null ? 'lock.unitsEmpty' : 'lock.unitsNeeded'
}

const written = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

export default async function ItemPage({ params }: PageProps<'/dashboard/items/[itemId]'>) {
  const { itemId } = await params
  const [ctx, t, format] = await Promise.all([dashboardContext(), getTranslations('dashboard.items'), getFormatter()])
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
      <Refresh everySeconds={item.token_status === 'MINTING' && 2} />
      <PageHeader
        back={{
          href: hrefOf('/dashboard/items', { collection_id: collection.id }),
          label: t('page.back', { collection: collection.name }),
        }}
        title={title}
        badge={<TokenBadge item={item} />}
        actions={
          <>
            {mayWrite && (
              <LinkButton href={`${here}/edit`} icon={<Pencil aria-hidden="true" className="size-4" />}>
                {t('edit')}
              </LinkButton>
            )}
            {mayWrite && !item.locked && (
              <ConfirmAction
                action={lockItemAction.bind(null, item.id)}
                draft="lock"
                trigger={
                  <Button variant="primary" icon={<Lock aria-hidden="true" className="size-4" />}>
                    {t('lock.action')}
                  </Button>
                }
                title={t('lock.one', { title })}
                description={t('lock.oneText')}
                confirm={t('lock.oneYes')}
                tone="primary"
              >
                {collection.token_type !== 'ERC721' && (
                  <FormField name="max_supply" label={t('columns.units')} hint={t(unitsHint(collection))}>
                    <Input name="max_supply" inputMode="numeric" />
                  </FormField>
                )}
                {collection.token_id_assignment_strategy === 'MANUAL' && (
                  <FormField name="token_id" label={t('columns.tokenId')} required>
                    <Input name="token_id" inputMode="numeric" className="figures" />
                  </FormField>
                )}
              </ConfirmAction>
            )}
            {item.locked && deployed && free && mayMint && (
              <LinkButton
                href={hrefOf('/dashboard/mint-requests/new', { item_id: item.id })}
                icon={<Stamp aria-hidden="true" className="size-4" />}
              >
                {holds.kept > 0n ? t('handOver') : t('mint')}
              </LinkButton>
            )}
            {item.locked && deployed && free && maySell && (
              <LinkButton
                href={hrefOf('/dashboard/listings/new', { item_id: item.id })}
                icon={<Tag aria-hidden="true" className="size-4" />}
              >
                {t('sell')}
              </LinkButton>
            )}
            {item.locked && deployed && free && maySend && (
              <LinkButton
                href={hrefOf('/dashboard/claims/new', { item_id: item.id })}
                variant="primary"
                icon={<Mail aria-hidden="true" className="size-4" />}
              >
                {t('send')}
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
              {t('page.toCollection')}
            </LinkButton>
          }
        >
          {t('page.ready')}
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
          <Card title={t('columns.units')} description={holds.kept > 0n ? t('page.unitsWith') : t('page.units')}>
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
              <p className="text-sm text-muted">{t('page.notFixed')}</p>
            )}
          </Card>
          <Card title={t('page.details')}>
            <Facts>
              <Fact name={t('columns.collection')}>
                <TextLink href={`/dashboard/collections/${collection.id}`}>{collection.name}</TextLink>
              </Fact>
              <Fact name={t('columns.tokenId')}>
                <span className="figures">{item.token_id ?? t('page.givenWhenLocked')}</span>
              </Fact>
              {deployed && item.locked && collection.is_public && (
                <Fact name={t('page.publicPage')}>
                  <TextLink href={`/i/${item.id}`}>{t('page.openIt')}</TextLink>
                </Fact>
              )}
              {traits.map(([name, value]) => (
                <Fact key={name} name={name}>
                  {written(value)}
                </Fact>
              ))}
              <Fact name={t('page.royalty')}>
                {item.royalty_info.amount_bps > 0
                  ? t('page.percent', { percent: item.royalty_info.amount_bps / 100 })
                  : t('page.noRoyalty')}
              </Fact>
              <Fact name={t('page.changed')}>
                <RelativeTime at={item.updated_at} />
              </Fact>
            </Facts>
            {mayWrite && !item.locked && (
              <div className="mt-4 border-t pt-4">
                <ConfirmAction
                  action={deleteItemAction.bind(null, item.id)}
                  trigger={
                    <Button size="sm" variant="danger">
                      {t('delete.action')}
                    </Button>
                  }
                  title={t('delete.title', { title })}
                  description={t('delete.text')}
                  confirm={t('delete.yes')}
                />
              </div>
            )}
          </Card>
          <PerksCard
            perks={perks}
            place={{ item_id: item.id }}
            obstacle={collection.reveal?.state === 'HIDDEN' ? t('page.noPerks') : null}
            deletion={may(ctx, 'items:write') ? (id) => deletePerkAction.bind(null, id) : null}
            change={(perkId) => updatePerkAction.bind(null, perkId)}
          />
          {owners && owners.total_results > 0 && (
            <Card
              title={t('page.owners')}
              description={
                owners.total_results > owners.results.length
                  ? t('page.firstOwners', { count: owners.results.length, all: format.number(owners.total_results) })
                  : undefined
              }
            >
              <Facts>
                {owners.results.map(({ address, quantity }) => (
                  <Fact key={address} name={<ChainLink value={address} kind="address" explorerUrl={explorerUrl} />}>
                    {t('page.ownedUnits', { count: Number(quantity) })}
                  </Fact>
                ))}
              </Facts>
            </Card>
          )}
          {history && history.total_results > 0 && (
            <Card flush title={t('history.title')} description={t('history.lead')}>
              <DataTable
                caption={t('history.title')}
                rows={history.results.map((entry) => ({
                  ...entry,
                  id: `${entry.data.transaction.tx_hash} ${entry.data.transaction.log_index} ${entry.data.to.address}`,
                }))}
                columns={[
                  {
                    label: t('history.what'),
                    cell: ({ type, quantity }) =>
                      `${t(`history.happened.${type}`)}${quantity > 1n ? ` (${format.number(quantity)})` : ''}`,
                  },
                  {
                    label: t('history.to'),
                    cell: ({ type, data }) =>
                      type === 'BURN' ? (
                        '–'
                      ) : (
                        <ChainLink value={data.to.address} kind="address" explorerUrl={explorerUrl} />
                      ),
                  },
                  {
                    label: t('history.transaction'),
                    cell: ({ data }) => (
                      <ChainLink value={data.transaction.tx_hash} kind="tx" explorerUrl={explorerUrl} />
                    ),
                  },
                  { label: t('history.when'), cell: ({ timestamp }) => <RelativeTime at={timestamp} /> },
                ]}
              />
            </Card>
          )}
        </div>
      </div>
    </>
  )
}
