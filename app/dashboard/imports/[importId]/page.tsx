import { useTranslations } from 'next-intl'
import { getLocale, getTranslations } from 'next-intl/server'
import { Play } from 'lucide-react'
import { titled } from '@/app/language/titled'
import { ConfirmAction } from '@/components/dashboard/forms/confirm-action'
import { DownloadLink } from '@/components/dashboard/forms/download-link'
import { FilterForm } from '@/components/dashboard/lists/filter-form'
import { hrefOf } from '@/components/dashboard/lists/href'
import { ImportBadge, ImportProgress, RowBadge, VerdictBadge } from '@/components/dashboard/imports/import-badge'
import { type ImportKind, ROW_STATES, VERDICTS } from '@/components/dashboard/imports/import-labels'
import { Refresh } from '@/components/dashboard/shell/refresh'
import { UnitsBar } from '@/components/dashboard/items/stock-bar'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { LinkButton } from '@/components/ui/link-button'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { Fact, Facts } from '@/components/ui/facts'
import { PageHeader } from '@/components/ui/page-header'
import { Pager } from '@/components/ui/pager'
import { DataTable } from '@/components/ui/data-table'
import { TextLink } from '@/components/ui/text-link'
import { Time } from '@/components/ui/time'
import * as api from '@/lib/platform/api/imports'
import { may } from '@/lib/platform/auth/context'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { getCollection } from '@/lib/catalog/collections/get-collection'
import { orNotFound } from '@/lib/platform/http/or-not-found'
import { readQuery } from '@/lib/platform/http/page-query'
import { getImport } from '@/lib/data/imports/get-import'
import { listImportRows } from '@/lib/data/imports/list-import-rows'
import { cancelImportAction, startImportAction } from '../actions'

export const generateMetadata = titled('dashboard.imports', 'one.title')

export default async function ImportPage({ params, searchParams }: PageProps<'/dashboard/imports/[importId]'>) {
  const { importId } = await params
  const [ctx, t, locale] = await Promise.all([dashboardContext(), getTranslations('dashboard.imports'), getLocale()])
  const query = readQuery(api.listImportRows.query, await searchParams)
  const [record, rows] = await Promise.all([
    orNotFound(importId, (id) => getImport(ctx, id)),
    orNotFound(importId, (id) => listImportRows(ctx, id, { ...query, limit: Math.min(query.limit, 50) })),
  ])
  const { collection_id: collectionId } = record.options
  const collection = collectionId ? await getCollection(ctx, collectionId).catch(() => null) : null
  const here = `/dashboard/imports/${record.id}`
  const { verdict, state } = query
  const resultFile = `result-${record.file_name ?? 'import.csv'}`
  const claims = record.kind === 'EMAIL_CLAIMS'
  const mayWrite = may(ctx, 'imports:write') && may(ctx, claims ? 'email_claims:write' : 'items:write')
  const validated = record.state === 'JUDGED'
  const open = validated || record.state === 'RUNNING'
  const unknown = record.unknown_columns
  const names = new Intl.ListFormat(locale, { type: 'unit' }).format(unknown)
  const ignored = record.options.ignore_columns
  const leftOut = record.duplicate_count + record.invalid_count
  const good = record.ok_count
  const verdicts = VERDICTS.map((each) => [each, t(`verdicts.${each}`)] as const)
  const states = ROW_STATES.map((each) => [each, t(`rows.${each}`)] as const)
  return (
    <>
      <Refresh everySeconds={record.state === 'RUNNING' && 1} />
      <PageHeader
        back={{ href: '/dashboard/imports', label: t('title') }}
        title={record.file_name ?? t(`kinds.${record.kind}`)}
        badge={<ImportBadge state={record.state} />}
        description={
          <span className="wrap-anywhere">
            {collection
              ? t(`one.aboutOf.${record.kind}`, { collection: collection.name, lines: record.row_count })
              : t(`one.about.${record.kind}`, { lines: record.row_count })}
          </span>
        }
        actions={
          <>
            <DownloadLink href={`/v1/imports/${record.id}/result.csv`} name={resultFile}>
              {t('one.resultFile')}
            </DownloadLink>
            {mayWrite && open && (
              <ConfirmAction
                action={cancelImportAction.bind(null, record.id)}
                trigger={
                  <Button variant={validated ? 'secondary' : 'danger'}>
                    {validated ? t('one.discard') : t('one.cancel')}
                  </Button>
                }
                title={validated ? t('one.discardTitle') : t('one.cancelTitle')}
                description={validated ? t('one.discardText') : t('one.cancelText')}
                confirm={validated ? t('one.discardConfirm') : t('one.cancelConfirm')}
              />
            )}
            {mayWrite && validated && good > 0 && (
              <ConfirmAction
                action={startImportAction.bind(null, record.id, unknown)}
                trigger={
                  <Button variant="primary" icon={<Play aria-hidden="true" className="size-4" />}>
                    {t('one.start')}
                  </Button>
                }
                title={t(`one.outcome.${record.kind}`, { count: good })}
                description={[
                  t(`one.startText.${record.kind}`),
                  leftOut > 0 && t('one.skipped', { count: leftOut }),
                  unknown.length > 0 && t('one.startWithoutText', { names }),
                ]
                  .filter(Boolean)
                  .join(' ')}
                confirm={unknown.length > 0 ? t('one.startWithout') : t(`one.startConfirm.${record.kind}`)}
                tone="primary"
              />
            )}
          </>
        }
      />
      {validated && unknown.length > 0 && (
        <Alert tone="warning" title={t('one.unknown', { count: unknown.length, names })}>
          {t('one.unknownText')}
        </Alert>
      )}
      {validated ? (
        <Verdict good={good} repeated={record.duplicate_count} wrong={record.invalid_count} kind={record.kind} />
      ) : (
        <Card title={t('one.progress')}>
          {record.state === 'RUNNING' && (
            <div className="mb-4">
              <ImportProgress done={record.done_count} failed={record.failed_count} all={record.ok_count} />
            </div>
          )}
          <UnitsBar
            parts={[
              { name: t('one.done'), units: BigInt(record.done_count) },
              { name: t('one.failed'), units: BigInt(record.failed_count) },
              { name: t('one.waiting'), units: BigInt(record.waiting_count) },
            ]}
          />
        </Card>
      )}
      <Card title={t('one.file')}>
        <Facts>
          <Fact name={t('one.columns')}>
            {record.columns
              .filter(({ means }) => means !== null)
              .map(({ name, means }) =>
                means?.replace(/^attributes\./, '').toLowerCase() === name.toLowerCase() ? name : `${name} (${means})`,
              )
              .join(', ')}
          </Fact>
          {ignored.length > 0 && <Fact name={t('one.ignored')}>{ignored.join(', ')}</Fact>}
          {claims && (
            <Fact name={t('one.payer')}>
              {t(`one.payers.${record.options.tx_payer === 'BUYER' ? 'BUYER' : 'SELLER'}`)}
            </Fact>
          )}
          {record.options.item_id && (
            <Fact name={t('one.item')}>
              <TextLink href={`/dashboard/items/${record.options.item_id}`}>{t('one.same')}</TextLink>
            </Fact>
          )}
          <Fact name={t('one.uploaded')}>
            <Time at={record.created_at} />
          </Fact>
          {record.started_at && (
            <Fact name={t('one.started')}>
              <Time at={record.started_at} />
            </Fact>
          )}
          {record.ended_at && (
            <Fact name={t('one.ended')}>
              <Time at={record.ended_at} />
            </Fact>
          )}
        </Facts>
      </Card>
      <h2 className="text-lg font-medium">{t('one.lines')}</h2>
      <FilterForm
        path={here}
        query={query}
        filters={[
          { name: 'verdict', label: t('one.verdict'), options: verdicts },
          ...(validated ? [] : [{ name: 'state', label: t('one.result'), options: states }]),
        ]}
      />
      <Card flush>
        {rows.results.length === 0 ? (
          <EmptyState title={t('one.noneMatch')} action={<LinkButton href={here}>{t('one.showAll')}</LinkButton>} />
        ) : (
          <DataTable
            caption={t('one.lines')}
            rows={rows.results.map((row) => ({ ...row, id: String(row.line) }))}
            lead={{ label: t('one.line'), cell: (row) => row.line.toLocaleString(locale) }}
            columns={[
              {
                label: t('one.what'),
                cell: (row) => (
                  <span className="line-clamp-3 wrap-anywhere">
                    {row.result_id ? (
                      <TextLink href={`/dashboard/${claims ? 'claims' : 'items'}/${row.result_id}`}>
                        {nameOf(row.fields, record.columns, claims)}
                      </TextLink>
                    ) : (
                      nameOf(row.fields, record.columns, claims)
                    )}
                  </span>
                ),
              },
              {
                label: validated ? t('one.verdict') : t('one.state'),
                cell: (row) =>
                  validated || row.verdict !== 'OK' ? (
                    <VerdictBadge verdict={row.verdict} />
                  ) : (
                    <RowBadge state={row.state} />
                  ),
              },
              {
                label: t('one.why'),
                unlabelled: true,
                cell: (row) => (
                  <span className="grid gap-1 wrap-anywhere text-muted">
                    {[...row.reasons, ...(row.failure ? [row.failure] : [])].map((reason) => (
                      <span key={reason} lang="en">
                        {reason}
                      </span>
                    ))}
                  </span>
                ),
              },
            ]}
          />
        )}
      </Card>
      <Pager
        first={query.cursor ? hrefOf(here, { verdict, state }) : null}
        next={rows.cursor && hrefOf(here, { verdict, state, cursor: rows.cursor })}
        total={rows.total_results}
        noun={rows.total_results === 1 ? t('one.noun.one') : t('one.noun.other')}
      />
    </>
  )
}

type Columns = readonly { name: string; means: string | null }[]

/** A line's name: its title, or its email and item. */
function nameOf(fields: Record<string, string>, columns: Columns, claims: boolean): string {
  const cell = (means: string) => fields[columns.find((column) => column.means === means)?.name ?? ''] ?? ''
  const parts = claims
    ? [cell('email'), cell('item') || cell('token_id') || cell('item_id')]
    : [cell('title'), cell('external_id') || cell('token_id')]
  return parts.filter(Boolean).join(', ') || Object.values(fields).filter(Boolean).join(', ').slice(0, 200) || '–'
}

function Verdict({ good, repeated, wrong, kind }: { good: number; repeated: number; wrong: number; kind: ImportKind }) {
  const t = useTranslations('dashboard.imports')
  const summary =
    repeated > 0 && wrong > 0
      ? t('verdict.both', { repeated, wrong })
      : repeated > 0
        ? t('verdict.repeated', { count: repeated })
        : wrong > 0
          ? t('verdict.wrong', { count: wrong })
          : t('verdict.good')
  if (good === 0)
    return (
      <Alert tone="danger" title={t('verdict.noneTitle')}>
        {`${summary} ${t('verdict.correct')}`}
      </Alert>
    )
  return (
    <Alert tone={wrong > 0 ? 'warning' : 'positive'} title={t(`one.onceStarted.${kind}`, { count: good })}>
      {wrong > 0 ? `${summary} ${t('verdict.without')}` : summary}
    </Alert>
  )
}
