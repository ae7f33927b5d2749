import { getTranslations } from 'next-intl/server'
import { Stamp } from 'lucide-react'
import { titled } from '@/app/language/titled'
import { MintBadge } from '@/components/dashboard/items/chain-badges'
import { ChainLink } from '@/components/ui/chain-link'
import { ListPage } from '@/components/dashboard/lists/list-page'
import { pictureOf, RowPicture } from '@/components/dashboard/lists/row-picture'
import { LinkButton } from '@/components/ui/link-button'
import { Card } from '@/components/ui/card'
import { titleOf } from '@/components/ui/item-title'
import { Sentence } from '@/components/ui/sentence'
import { DataTable } from '@/components/ui/data-table'
import { TextLink } from '@/components/ui/text-link'
import { RelativeTime } from '@/components/ui/relative-time'
import * as api from '@/lib/platform/api/mint-requests'
import { may } from '@/lib/platform/auth/context'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { listCollectionChoices } from '@/lib/catalog/collections/list-collection-choices'
import { readQuery } from '@/lib/platform/http/page-query'
import { findItems } from '@/lib/catalog/items/find-items'
import { listMints } from '@/lib/onchain/mints/list-mints'

export const generateMetadata = titled('dashboard.mintRequests', 'title')

const path = '/dashboard/mint-requests'

export default async function MintRequestsPage({ searchParams }: PageProps<'/dashboard/mint-requests'>) {
  const [ctx, t] = await Promise.all([dashboardContext(), getTranslations('dashboard.mintRequests')])
  const query = readQuery(api.listMintRequests.query, await searchParams)
  const [mints, collections] = await Promise.all([
    listMints(ctx, { ...query, limit: Math.min(query.limit, 25) }),
    listCollectionChoices(ctx, { deployed: true }),
  ])
  const { item_id } = query
  const items = await findItems(ctx, [...mints.results.map((mint) => mint.item_id), ...(item_id ? [item_id] : [])])
  const titleFor = (id: string) => {
    const item = items.get(id)
    return item && titleOf(item)
  }
  const named = collections.map(({ id, name }) => [id, name] as const)
  const mint = may(ctx, 'mint_requests:write') && (
    <LinkButton href={`${path}/new`} variant="primary" icon={<Stamp aria-hidden="true" className="size-4" />}>
      {t('list.new')}
    </LinkButton>
  )
  return (
    <ListPage
      path={path}
      title={t('title')}
      description={t('list.description')}
      actions={mint}
      noun={[t('noun.one'), t('noun.other')]}
      page={mints}
      query={query}
      refreshSeconds={mints.results.some(({ state }) => state === 'WAITING' || state === 'SUBMITTED') && 2}
      filters={[
        { name: 'collection_id', label: t('list.collection'), options: named, any: t('list.all') },
        { name: 'item_id', label: t('list.item'), shown: item_id && titleFor(item_id) },
      ]}
      empty={{
        title: t('list.emptyTitle'),
        action: mint,
        children: t('list.empty'),
      }}
    >
      <Card flush>
        <DataTable
          caption={t('title')}
          rows={mints.results}
          columns={[
            {
              label: t('list.item'),
              cell: (request) => (
                <span className="flex items-center gap-3">
                  <RowPicture item={items.get(request.item_id) ?? pictureOf('', null)} />
                  <TextLink href={`/dashboard/items/${request.item_id}`}>
                    {titleFor(request.item_id) ?? t('list.show')}
                  </TextLink>
                </span>
              ),
            },
            { label: t('list.state'), cell: (request) => <MintBadge mint={request} /> },
            {
              label: t('list.to'),
              cell: (request) => <ChainLink value={request.to_address} kind="address" explorerUrl={null} />,
            },
            { label: t('list.units'), cell: (request) => String(request.quantity) },
            { label: t('list.askedFor'), cell: (request) => <RelativeTime at={request.created_at} /> },
            {
              label: t('list.details'),
              actions: true,
              cell: (request) => (
                <TextLink href={`${path}/${request.id}`}>
                  <Sentence>
                    {t.rich('list.detailsOf', {
                      item: titleFor(request.item_id) ?? t('list.thisRequest'),
                      request: (text) => <span className="sr-only">{text}</span>,
                    })}
                  </Sentence>
                </TextLink>
              ),
            },
          ]}
        />
      </Card>
    </ListPage>
  )
}
