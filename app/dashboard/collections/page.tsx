import { getTranslations } from 'next-intl/server'
import { Cable, Plus } from 'lucide-react'
import { titled } from '@/app/language/titled'
import { Choice, wordsFor } from '@/components/dashboard/forms/choice'
import { DeploymentBadge } from '@/components/dashboard/collections/deployment-badge'
import { ListPage } from '@/components/dashboard/lists/list-page'
import { collectionPicture, RowPicture } from '@/components/dashboard/lists/row-picture'
import { Address } from '@/components/ui/address'
import { LinkButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Table, Tbody, Td, Th, Thead, Tr } from '@/components/ui/table'
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
  const { search, deployment_status: status } = query
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
      cursor={query.cursor}
      filters={{
        search: { label: t('columns.name'), value: search },
        deployment_status: { label: t('deployment'), value: status, shown: wordsFor(states, status) },
      }}
      fields={
        <>
          <Field label={t('columns.name')}>
            <Input name="search" type="search" defaultValue={search ?? ''} />
          </Field>
          <Choice label={t('deployment')} name="deployment_status" value={status} options={states} />
        </>
      }
      empty={{
        title: t('empty.title'),
        action: make,
        children: t('empty.text'),
      }}
    >
      <Card flush>
        <Table caption={t('title')}>
          <Thead>
            <Th>{t('columns.name')}</Th>
            <Th>{t('columns.state')}</Th>
            <Th>{t('columns.network')}</Th>
            <Th>{t('columns.kind')}</Th>
            <Th>{t('columns.contract')}</Th>
            <Th>{t('columns.created')}</Th>
          </Thead>
          <Tbody>
            {collections.results.map((collection) => (
              <Tr key={collection.id}>
                <Td rowHeader>
                  <span className="flex items-center gap-3">
                    <RowPicture item={collectionPicture(collection)} />
                    <TextLink href={`${path}/${collection.id}`}>{collection.name}</TextLink>
                  </span>
                </Td>
                <Td label={t('columns.state')}>
                  <DeploymentBadge status={collection.deployment?.status ?? null} />
                </Td>
                <Td label={t('columns.network')}>
                  {collection.network_id === null
                    ? '–'
                    : (networks.get(collection.network_id) ?? collection.network_id)}
                </Td>
                <Td label={t('columns.kind')}>
                  {collection.token_type === null ? '–' : t(`kinds.${collection.token_type}`)}
                </Td>
                <Td label={t('columns.contract')}>
                  {collection.contract ? <Address value={collection.contract} copyLabel={t('copyContract')} /> : '–'}
                </Td>
                <Td label={t('columns.created')}>
                  <RelativeTime at={collection.created_at} />
                </Td>
              </Tr>
            ))}
          </Tbody>
        </Table>
      </Card>
    </ListPage>
  )
}
