import { getTranslations } from 'next-intl/server'
import { Cable, Plus } from 'lucide-react'
import { titled } from '@/app/language/titled'
import { DeploymentBadge } from '@/components/dashboard/collections/deployment-badge'
import { ListPage } from '@/components/dashboard/lists/list-page'
import { collectionPicture, RowPicture } from '@/components/dashboard/lists/row-picture'
import { Address } from '@/components/ui/address'
import { LinkButton } from '@/components/ui/link-button'
import { Card } from '@/components/ui/card'
import { DataTable } from '@/components/ui/data-table'
import { TextLink } from '@/components/ui/text-link'
import { RelativeTime } from '@/components/ui/relative-time'
import * as api from '@/lib/platform/api/collections'
import { may } from '@/lib/platform/auth/context'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { listCollections } from '@/lib/catalog/collections/list-collections'
import { readQuery } from '@/lib/platform/http/page-query'
import { networkFacts } from '@/lib/offers/networks/network-facts'

export const generateMetadata = titled('dashboard.collections', 'title')

const path = '/dashboard/collections'
const DEPLOYMENTS = ['SUCCESS', 'PENDING', 'FAILED'] as const

export default async function CollectionsPage({ searchParams }: PageProps<'/dashboard/collections'>) {
  const t = await getTranslations('dashboard.collections')
  const ctx = await dashboardContext()
  const query = readQuery(api.listCollections.query, await searchParams)
  const collections = await listCollections(ctx, { ...query, limit: Math.min(query.limit, 50) })
  const networks = new Map(networkFacts(ctx).map(({ id, name }) => [id, name]))
  const states = DEPLOYMENTS.map((state) => [state, t(`states.${state}`)] as const)
  const make = may(ctx, 'collections:write') && (
    <>
      <LinkButton href={`${path}/connect`} icon={<Cable aria-hidden="true" className="size-4" />}>
        {t('connectContract')}
      </LinkButton>
      <LinkButton href={`${path}/new`} variant="primary" icon={<Plus aria-hidden="true" className="size-4" />}>
        {t('new')}
      </LinkButton>
    </>
  )
  return (
    <ListPage
      path={path}
      title={t('title')}
      description={t('lead')}
      actions={make}
      noun={[t('noun.one'), t('noun.other')]}
      page={collections}
      query={query}
      filters={[
        { name: 'search', label: t('columns.name'), input: {} },
        { name: 'deployment_status', label: t('deployment'), options: states },
      ]}
      empty={{
        title: t('empty.title'),
        action: make,
        children: t('empty.text'),
      }}
    >
      <Card flush>
        <DataTable
          caption={t('title')}
          rows={collections.results}
          columns={[
            {
              label: t('columns.name'),
              cell: (collection) => (
                <span className="flex items-center gap-3">
                  <RowPicture item={collectionPicture(collection)} />
                  <TextLink href={`${path}/${collection.id}`}>{collection.name}</TextLink>
                </span>
              ),
            },
            {
              label: t('columns.state'),
              cell: (collection) => <DeploymentBadge status={collection.deployment?.status ?? null} />,
            },
            {
              label: t('columns.network'),
              cell: (collection) =>
                collection.network_id === null ? '–' : (networks.get(collection.network_id) ?? collection.network_id),
            },
            {
              label: t('columns.kind'),
              cell: (collection) => (collection.token_type === null ? '–' : t(`kinds.${collection.token_type}`)),
            },
            {
              label: t('columns.contract'),
              cell: (collection) =>
                collection.contract ? <Address value={collection.contract} copyLabel={t('copyContract')} /> : '–',
            },
            { label: t('columns.created'), cell: (collection) => <RelativeTime at={collection.created_at} /> },
          ]}
        />
      </Card>
    </ListPage>
  )
}
