import { getLocale, getTranslations } from 'next-intl/server'
import { FileUp } from 'lucide-react'
import { titled } from '@/app/language/titled'
import { ExportForm } from '@/components/dashboard/imports/export-form'
import { ImportBadge, ImportProgress } from '@/components/dashboard/imports/import-badge'
import { IMPORT_KINDS, IMPORT_STATES } from '@/components/dashboard/imports/import-labels'
import { ListPage } from '@/components/dashboard/lists/list-page'
import { LinkButton } from '@/components/ui/link-button'
import { Card } from '@/components/ui/card'
import { DataTable } from '@/components/ui/data-table'
import { TextLink } from '@/components/ui/text-link'
import { RelativeTime } from '@/components/ui/relative-time'
import * as api from '@/lib/platform/api/imports'
import { may } from '@/lib/platform/auth/context'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { listCollectionChoices } from '@/lib/catalog/collections/list-collection-choices'
import { readQuery } from '@/lib/platform/http/page-query'
import { listImports } from '@/lib/data/imports/list-imports'

export const generateMetadata = titled('dashboard.imports', 'title')

const path = '/dashboard/imports'

export default async function ImportsPage({ searchParams }: PageProps<'/dashboard/imports'>) {
  const [ctx, t, locale] = await Promise.all([dashboardContext(), getTranslations('dashboard.imports'), getLocale()])
  const query = readQuery(api.listImports.query, await searchParams)
  const [imports, collections] = await Promise.all([
    listImports(ctx, { ...query, limit: Math.min(query.limit, 25) }),
    listCollectionChoices(ctx),
  ])
  const kinds = IMPORT_KINDS.map((each) => [each, t(`kinds.${each}`)] as const)
  const states = IMPORT_STATES.map((each) => [each, t(`states.${each}`)] as const)
  const make = may(ctx, 'imports:write') && (may(ctx, 'items:write') || may(ctx, 'email_claims:write')) && (
    <LinkButton href={`${path}/new`} variant="primary" icon={<FileUp aria-hidden="true" className="size-4" />}>
      {t('list.new')}
    </LinkButton>
  )
  const exports = [
    ...(may(ctx, 'items:read') ? (['items', 'holders'] as const) : []),
    ...(may(ctx, 'email_claims:read') ? (['claims'] as const) : []),
    ...(may(ctx, 'purchase_intents:read') ? (['purchases'] as const) : []),
  ]
  return (
    <>
      <ListPage
        path={path}
        title={t('title')}
        description={t('list.description')}
        actions={make}
        noun={[t('noun.one'), t('noun.other')]}
        page={imports}
        query={query}
        refreshSeconds={imports.results.some((one) => one.state === 'RUNNING') && 3}
        filters={[
          { name: 'kind', label: t('list.what'), options: kinds, any: t('list.all') },
          { name: 'state', label: t('list.state'), options: states },
        ]}
        empty={{
          title: t('list.emptyTitle'),
          action: make,
          children: t('list.empty'),
        }}
      >
        <Card flush>
          <DataTable
            caption={t('list.caption')}
            rows={imports.results}
            columns={[
              {
                label: t('list.file'),
                cell: (one) => (
                  <TextLink href={`${path}/${one.id}`} className="wrap-anywhere">
                    {one.file_name ?? t('list.untitled')}
                  </TextLink>
                ),
              },
              { label: t('list.what'), cell: (one) => t(`kinds.${one.kind}`) },
              {
                label: t('list.state'),
                cell: (one) => (
                  <>
                    <ImportBadge state={one.state} />
                    {one.state === 'RUNNING' && (
                      <ImportProgress done={one.done_count} failed={one.failed_count} all={one.ok_count} />
                    )}
                  </>
                ),
              },
              { label: t('list.lines'), cell: (one) => one.row_count.toLocaleString(locale) },
              {
                label: t('list.done'),
                cell: (one) =>
                  one.failed_count > 0
                    ? t('list.doneSome', { done: one.done_count, failed: one.failed_count })
                    : one.done_count.toLocaleString(locale),
              },
              { label: t('list.uploaded'), cell: (one) => <RelativeTime at={one.created_at} /> },
            ]}
          />
        </Card>
      </ListPage>
      {exports.length > 0 && (
        <ExportForm files={exports} collections={collections.map(({ id, name }) => [id, name] as const)} />
      )}
    </>
  )
}
