import { getTranslations } from 'next-intl/server'
import { Stamp } from 'lucide-react'
import { titled } from '@/app/language/titled'
import { MintBadge } from '@/components/dashboard/items/chain-badges'
import { ChainLink } from '@/components/ui/chain-link'
import { Choice, wordsFor } from '@/components/dashboard/forms/choice'
import { ListPage } from '@/components/dashboard/lists/list-page'
import { pictureOf, RowPicture } from '@/components/dashboard/lists/row-picture'
import { LinkButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { titleOf } from '@/components/ui/picture'
import { Sentence } from '@/components/ui/sentence'
import { Table, Tbody, Td, Th, Thead, Tr } from '@/components/ui/table'
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
  const { collection_id, item_id } = query
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
      cursor={query.cursor}
      refreshSeconds={mints.results.some(({ state }) => state === 'WAITING' || state === 'SUBMITTED') && 2}
      filters={{
        collection_id: { label: t('list.collection'), value: collection_id, shown: wordsFor(named, collection_id) },
        item_id: { label: t('list.item'), value: item_id, shown: item_id && titleFor(item_id) },
      }}
      fields={
        <>
          <Choice
            label={t('list.collection')}
            name="collection_id"
            value={collection_id}
            options={named}
            any={t('list.all')}
          />
          {item_id && <input type="hidden" name="item_id" value={item_id} />}
        </>
      }
      empty={{
        title: t('list.emptyTitle'),
        action: mint,
        children: t('list.empty'),
      }}
    >
      <Card flush>
        <Table caption={t('title')}>
          <Thead>
            <Th>{t('list.item')}</Th>
            <Th>{t('list.state')}</Th>
            <Th>{t('list.to')}</Th>
            <Th>{t('list.units')}</Th>
            <Th>{t('list.askedFor')}</Th>
            <Th>
              <span className="sr-only">{t('list.details')}</span>
            </Th>
          </Thead>
          <Tbody>
            {mints.results.map((request) => (
              <Tr key={request.id}>
                <Td rowHeader>
                  <span className="flex items-center gap-3">
                    <RowPicture item={items.get(request.item_id) ?? pictureOf('', null)} />
                    <TextLink href={`/dashboard/items/${request.item_id}`}>
                      {titleFor(request.item_id) ?? t('list.show')}
                    </TextLink>
                  </span>
                </Td>
                <Td label={t('list.state')}>
                  <MintBadge mint={request} />
                </Td>
                <Td label={t('list.to')}>
                  <ChainLink value={request.to_address} kind="address" explorerUrl={null} />
                </Td>
                <Td label={t('list.units')}>{String(request.quantity)}</Td>
                <Td label={t('list.askedFor')}>
                  <RelativeTime at={request.created_at} />
                </Td>
                <Td align="right">
                  <TextLink href={`${path}/${request.id}`}>
                    <Sentence>
                      {t.rich('list.detailsOf', {
                        item: titleFor(request.item_id) ?? t('list.thisRequest'),
                        request: (text) => <span className="sr-only">{text}</span>,
                      })}
                    </Sentence>
                  </TextLink>
                </Td>
              </Tr>
            ))}
          </Tbody>
        </Table>
      </Card>
    </ListPage>
  )
}
