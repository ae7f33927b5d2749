import { getFormatter, getTranslations } from 'next-intl/server'
import { Camera } from 'lucide-react'
import { titled } from '@/app/language/titled'
import { ConfirmAction } from '@/components/dashboard/forms/confirm-action'
import { DownloadLink } from '@/components/dashboard/forms/download-link'
import { hrefOf } from '@/components/dashboard/lists/href'
import { ListPage } from '@/components/dashboard/lists/list-page'
import { StateBadge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { LinkButton } from '@/components/ui/link-button'
import { Card } from '@/components/ui/card'
import { FormField } from '@/components/dashboard/forms/action-form'
import { Input } from '@/components/ui/input'
import { Sentence } from '@/components/ui/sentence'
import { DataTable } from '@/components/ui/data-table'
import { TextLink } from '@/components/ui/text-link'
import { Time } from '@/components/ui/time'
import * as api from '@/lib/platform/api/snapshots'
import { may } from '@/lib/platform/auth/context'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { findCollections } from '@/lib/catalog/collections/find-collections'
import { readQuery } from '@/lib/platform/http/page-query'
import { listSnapshots } from '@/lib/data/snapshots/list-snapshots'
import { renameSnapshotAction } from './actions'

export const generateMetadata = titled('dashboard.snapshots', 'title')

const path = '/dashboard/snapshots'

const percentOf = ({ done, total }: { done: number; total: number }): number =>
  total === 0 ? 100 : Math.min(100, Math.floor((done / total) * 100))

export default async function SnapshotsPage({ searchParams }: PageProps<'/dashboard/snapshots'>) {
  const [ctx, t, format] = await Promise.all([
    dashboardContext(),
    getTranslations('dashboard.snapshots'),
    getFormatter(),
  ])
  const query = readQuery(api.listSnapshots.query, await searchParams)
  const snapshots = await listSnapshots(ctx, { ...query, limit: Math.min(query.limit, 25) })
  const collections = await findCollections(
    ctx,
    snapshots.results.map(({ collection_id }) => collection_id),
  )
  const { collection_id } = query
  const mayWrite = may(ctx, 'snapshots:write')
  const make = mayWrite && (
    <LinkButton
      href={hrefOf(`${path}/new`, { collection_id })}
      variant="primary"
      icon={<Camera aria-hidden="true" className="size-4" />}
    >
      {t('new')}
    </LinkButton>
  )
  const states = {
    PENDING: <StateBadge state="PENDING" label={t('waiting')} />,
    READY: <StateBadge state="COMPLETED" label={t('ready')} />,
    FAILED: <StateBadge state="FAILED" />,
  } as const
  return (
    <ListPage
      path={path}
      title={t('title')}
      description={t('lead')}
      actions={make}
      noun={[t('noun.one'), t('noun.other')]}
      page={snapshots}
      query={query}
      refreshSeconds={snapshots.results.some(({ status }) => status === 'PENDING') && 3}
      filters={[
        {
          name: 'collection_id',
          label: t('columns.collection'),
          shown: collection_id && collections.get(collection_id)?.name,
        },
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
          rows={snapshots.results}
          columns={[
            { label: t('columns.name'), cell: (snapshot) => <span className="wrap-anywhere">{snapshot.name}</span> },
            {
              label: t('columns.collection'),
              cell: (snapshot) => (
                <TextLink href={`/dashboard/collections/${snapshot.collection_id}`}>
                  {collections.get(snapshot.collection_id)?.name}
                </TextLink>
              ),
            },
            {
              label: t('columns.state'),
              cell: (snapshot) => (
                <span className="grid justify-items-start gap-1">
                  {snapshot.progress ? (
                    <StateBadge state="PENDING" label={t('counting', { percent: percentOf(snapshot.progress) })} />
                  ) : (
                    states[snapshot.status]
                  )}
                  {snapshot.failure && (
                    <span lang="en" className="text-muted">
                      {snapshot.failure}
                    </span>
                  )}
                </span>
              ),
            },
            {
              label: t('columns.block'),
              cell: (snapshot) =>
                snapshot.block_number !== null ? (
                  <span className="figures">{snapshot.block_number.toString()}</span>
                ) : snapshot.timestamp ? (
                  <Time at={snapshot.timestamp} />
                ) : (
                  '–'
                ),
            },
            {
              label: t('columns.holders'),
              cell: (snapshot) => (snapshot.holder_count === null ? '–' : format.number(snapshot.holder_count)),
            },
            {
              label: t('columns.actions'),
              actions: true,
              cell: (snapshot) => (
                <span className="inline-flex flex-wrap gap-2">
                  {snapshot.status === 'READY' && (
                    <DownloadLink small href={`/v1/snapshots/${snapshot.id}/holders.csv`} name={`${snapshot.name}.csv`}>
                      <Sentence>
                        {t.rich('csv', {
                          name: snapshot.name,
                          hidden: (words) => <span className="sr-only">{words}</span>,
                        })}
                      </Sentence>
                    </DownloadLink>
                  )}
                  {mayWrite && (
                    <ConfirmAction
                      action={renameSnapshotAction.bind(null, snapshot.id)}
                      draft={`name/${snapshot.id}`}
                      opened={{ name: snapshot.name }}
                      trigger={
                        <Button size="sm" variant="quiet" aria-label={t('rename.label', { name: snapshot.name })}>
                          {t('rename.action')}
                        </Button>
                      }
                      title={t('rename.title')}
                      description={t('rename.text')}
                      confirm={t('rename.yes')}
                      tone="primary"
                    >
                      <FormField name="name" label={t('columns.name')}>
                        <Input name="name" defaultValue={snapshot.name} autoComplete="off" />
                      </FormField>
                    </ConfirmAction>
                  )}
                </span>
              ),
            },
          ]}
        />
      </Card>
    </ListPage>
  )
}
