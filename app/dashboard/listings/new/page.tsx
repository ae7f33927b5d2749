import { Link } from '@/components/ui/link'
import { useTranslations } from 'next-intl'
import { getTranslations } from 'next-intl/server'
import { titled } from '@/app/language/titled'
import { hrefOf } from '@/components/dashboard/lists/href'
import { ItemPicker } from '@/components/dashboard/items/item-picker'
import { stockOf } from '@/components/dashboard/items/item-stock'
import { KIND_NAMES, PROVIDERS } from '@/components/dashboard/listings/kinds'
import type { Kind } from '@/components/dashboard/listings/kinds'
import { ListingForm, type Subject } from '@/components/dashboard/listings/listing-form'
import { ModeBar } from '@/components/dashboard/shell/mode-bar'
import { Alert } from '@/components/ui/alert'
import { LinkButton } from '@/components/ui/link-button'
import { Card } from '@/components/ui/card'
import { PageHeader } from '@/components/ui/page-header'
import { titleOf } from '@/components/ui/item-title'
import { givableUnits } from '@/lib/core/stock'
import type { Context } from '@/lib/platform/auth/context'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { listCampaignChoices } from '@/lib/messaging/campaigns/list-campaign-choices'
import { getCollection } from '@/lib/catalog/collections/get-collection'
import { listCollectionChoices } from '@/lib/catalog/collections/list-collection-choices'
import { orNotFound } from '@/lib/platform/http/or-not-found'
import { getItem } from '@/lib/catalog/items/get-item'
import { listItems } from '@/lib/catalog/items/list-items'
import { type Offer, preflightOf } from '@/lib/offers/listings/preflight'
import { networkFacts } from '@/lib/offers/networks/network-facts'
import { paymentTokensOf } from '@/lib/offers/networks/payment-tokens'
import { listSnapshots } from '@/lib/data/snapshots/list-snapshots'
import { readyItems } from '../../items/ready-items'
import { createListingAction } from '../actions'

export const generateMetadata = titled('dashboard.listings', 'new')

const path = '/dashboard/listings/new'
const list = '/dashboard/listings'

export default async function NewListingPage({ searchParams }: PageProps<'/dashboard/listings/new'>) {
  const { item_id, collection_id, search } = await searchParams
  const t = await getTranslations('dashboard.listings')
  const ctx = await dashboardContext()
  const itemId = typeof item_id === 'string' && item_id ? item_id : null
  const collectionId = typeof collection_id === 'string' && collection_id ? collection_id : null
  if (!itemId && !collectionId) return <ChooseWhat ctx={ctx} search={typeof search === 'string' ? search : ''} />

  const item = itemId ? await orNotFound(itemId, (id) => getItem(ctx, id)) : null
  const collection = await orNotFound(item?.collection_id ?? collectionId!, (id) => getCollection(ctx, id))
  const title = item ? titleOf(item) : collection.name
  const network = networkFacts(ctx).find(({ id }) => id === collection.network_id)
  if (item && !item.locked)
    return <NotYet title={title} why={t('sell.lockFirst')} href={`/dashboard/items/${item.id}`} />
  if (collection.deployment?.status !== 'SUCCESS' || !network || !collection.token_type)
    return <NotYet title={title} why={t('sell.deployFirst')} href={`/dashboard/collections/${collection.id}`} />
  const mode = network.testnet ? 'TEST' : 'LIVE'
  const [free, findings, snapshots, campaigns] = await Promise.all([
    item ? givableUnits(stockOf(item)) : unmintedOf(ctx, collection.id),
    findingsOf(ctx, network.id, mode),
    listSnapshots(ctx, { limit: 100 }),
    listCampaignChoices(ctx, { limit: 1000 }),
  ])
  const description = item ? item.attributes.description : collection.description
  const subject: Subject = {
    kind: item ? 'item' : 'collection',
    id: item?.id ?? collection.id,
    title,
    collectionName: collection.name,
    description: typeof description === 'string' ? description : null,
    picture: item
      ? { attributes: item.attributes, media: item.media }
      : { title: collection.name, media: { image: null } },
    tokenType: collection.token_type,
    left: free === null ? null : Number(free),
  }
  return (
    <>
      <PageHeader
        back={{ href: list, label: t('title') }}
        title={t('sell.title', { title })}
        description={item ? collection.name : t('sell.wholeLead')}
      />
      <ModeBar mode={mode} />
      <ListingForm
        action={createListingAction.bind(null, network.id)}
        subject={subject}
        tokens={paymentTokensOf(ctx, network.id).map(({ symbol, name, decimals }) => ({ symbol, name, decimals }))}
        snapshots={snapshots.results.filter(({ status }) => status === 'READY').map(({ id, name }) => ({ id, name }))}
        campaigns={campaigns}
        findings={findings}
        first={KIND_NAMES.find((kind) => findings[kind].every(({ severity }) => severity !== 'ERROR')) ?? 'free'}
      />
    </>
  )
}

const unmintedOf = async (ctx: Context, collectionId: string) =>
  (
    await listItems(ctx, {
      collection_id: collectionId,
      locked: 'true',
      token_status: 'NOT_MINTED',
      attribute: [],
      limit: 1,
    })
  ).total_results

/** The checks that a listing goes through, for each kind of sale, before there is one. */
async function findingsOf(ctx: Context, networkId: number, mode: 'TEST' | 'LIVE') {
  const offer = (kind: Kind): Offer => ({
    networkId,
    mode,
    status: 'DRAFT',
    paymentProviders: [PROVIDERS[kind][0]],
    txPayer: 'SELLER',
    quantityListed: 1n,
    quantityOpen: 0n,
    quantityConfirmed: 0n,
  })
  const [card, crypto, free] = await Promise.all(KIND_NAMES.map((kind) => preflightOf(ctx, offer(kind))))
  return { card: card!, crypto: crypto!, free: free! }
}

function NotYet({ title, why, href }: { title: string; why: string; href: string }) {
  const t = useTranslations('dashboard.listings')
  return (
    <>
      <PageHeader back={{ href: list, label: t('title') }} title={t('sell.title', { title })} />
      <Alert
        tone="info"
        action={
          <LinkButton size="sm" href={href}>
            {t('sell.goThere')}
          </LinkButton>
        }
      >
        {why}
      </Alert>
    </>
  )
}

async function ChooseWhat({ ctx, search }: { ctx: Context; search: string }) {
  const t = await getTranslations('dashboard.listings')
  const [ready, collections] = await Promise.all([
    readyItems(ctx, search),
    listCollectionChoices(ctx, { deployed: true }),
  ])
  const whole = collections.filter(({ token_type }) => token_type === 'ERC721')
  return (
    <>
      <PageHeader back={{ href: list, label: t('title') }} title={t('new')} description={t('choose.lead')} />
      {whole.length > 0 && !search && (
        <Card title={t('choose.whole')} description={t('choose.wholeText')}>
          <ul className="flex flex-wrap gap-2">
            {whole.map(({ id, name }) => (
              <li key={id}>
                <Link
                  href={hrefOf(path, { collection_id: id })}
                  className={
                    'inline-flex min-h-10 items-center rounded-md border border-edge px-4 text-sm ' +
                    'font-medium wrap-anywhere hover:border-ink hover:bg-well'
                  }
                >
                  {name}
                </Link>
              </li>
            ))}
          </ul>
        </Card>
      )}
      <h2 className="text-lg font-medium">{t('choose.oneItem')}</h2>
      <ItemPicker path={path} search={search} {...ready} />
    </>
  )
}
