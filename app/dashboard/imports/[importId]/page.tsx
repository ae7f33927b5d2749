import type { Metadata } from 'next'
import { Play } from 'lucide-react'
import { Choice } from '@/components/dashboard/forms/choice'
import { ConfirmAction } from '@/components/dashboard/forms/confirm-action'
import { DownloadLink } from '@/components/dashboard/forms/download-link'
import { Filters } from '@/components/dashboard/lists/filters'
import { hrefOf } from '@/components/dashboard/lists/href'
import { ImportBadge, ImportProgress, RowBadge, VerdictBadge } from '@/components/dashboard/imports/import-badge'
import { ROW_STATES, VERDICTS } from '@/components/dashboard/imports/import-labels'
import { Refresh } from '@/components/dashboard/shell/refresh'
import { UnitsBar } from '@/components/dashboard/items/stock-bar'
import { Alert } from '@/components/ui/alert'
import { Button, LinkButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { Fact, Facts } from '@/components/ui/facts'
import { PageHeader } from '@/components/ui/page-header'
import { Pager } from '@/components/ui/pager'
import { Table, Tbody, Td, Th, Thead, Tr } from '@/components/ui/table'
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

export const metadata: Metadata = { title: 'Import' }

const lines = (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'line' : 'lines'}`

export default async function ImportPage({ params, searchParams }: PageProps<'/dashboard/imports/[importId]'>) {
  const { importId } = await params
  const ctx = await dashboardContext()
  const query = readQuery(api.listImportRows.query, await searchParams)
  const [record, rows] = await Promise.all([
    orNotFound(importId, (id) => getImport(ctx, id)),
    orNotFound(importId, (id) => listImportRows(ctx, id, { ...query, limit: Math.min(query.limit, 50) })),
  ])
  const { collection_id: collectionId } = record.options
  const collection = collectionId ? await getCollection(ctx, collectionId).catch(() => null) : null
  const here = `/dashboard/imports/${record.id}`
  const { verdict, state } = query
  const claims = record.kind === 'EMAIL_CLAIMS'
  const mayWrite = may(ctx, 'imports:write') && may(ctx, claims ? 'email_claims:write' : 'items:write')
  const validated = record.state === 'JUDGED'
  const open = validated || record.state === 'RUNNING'
  const unknown = record.columns.filter(({ means }) => means === null)
  const leftOut = record.duplicate_count + record.invalid_count
  const good = record.ok_count
  const outcome = claims
    ? good === 1
      ? 'One email will be sent'
      : `${good.toLocaleString('en')} emails will be sent`
    : good === 1
      ? 'One item will be created'
      : `${good.toLocaleString('en')} items will be created`
  return (
    <>
      {record.state === 'RUNNING' && <Refresh everySeconds={1} />}
      <PageHeader
        back={{ href: '/dashboard/imports', label: 'Imports and exports' }}
        title={record.file_name ?? (claims ? 'Email claims' : 'Items')}
        badge={<ImportBadge state={record.state} />}
        description={
          <span className="wrap-anywhere">
            {claims ? 'Email claims' : 'Items'}
            {collection && ` of ${collection.name}`}, {lines(record.row_count)}
          </span>
        }
        actions={
          <>
            <DownloadLink
              href={`/v1/imports/${record.id}/result.csv`}
              name={`result-${record.file_name ?? 'import.csv'}`}
            >
              Result file
            </DownloadLink>
            {mayWrite && open && (
              <ConfirmAction
                action={cancelImportAction.bind(null, record.id)}
                trigger={
                  <Button variant={validated ? 'secondary' : 'danger'}>{validated ? 'Discard' : 'Cancel it'}</Button>
                }
                title={validated ? 'Discard this import?' : 'Cancel this import?'}
                description={
                  validated
                    ? 'Nothing has been imported, and nothing will be.'
                    : 'Lines that were imported stay. The remaining lines are skipped.'
                }
                confirm={validated ? 'Discard it' : 'Cancel the import'}
              />
            )}
            {mayWrite && validated && good > 0 && (
              <ConfirmAction
                action={startImportAction.bind(null, record.id)}
                trigger={
                  <Button variant="primary" icon={<Play aria-hidden="true" className="size-4" />}>
                    Start
                  </Button>
                }
                title={`${outcome}.`}
                description={
                  <>
                    {claims
                      ? 'Each recipient gets a link by mail, and the units are set aside. A mail can’t be called back; a claim can be revoked.'
                      : 'They are created unlocked, so you can review and change them.'}
                    {leftOut > 0 && ` ${lines(leftOut)} of the file ${leftOut === 1 ? 'is' : 'are'} skipped.`}
                  </>
                }
                confirm={claims ? 'Send the emails' : 'Create them'}
                tone="primary"
              />
            )}
          </>
        }
      />
      {validated ? (
        <Verdict good={good} repeated={record.duplicate_count} wrong={record.invalid_count} outcome={outcome} />
      ) : (
        <Card title="Progress">
          {record.state === 'RUNNING' && (
            <div className="mb-4">
              <ImportProgress done={record.done_count} failed={record.failed_count} all={record.ok_count} />
            </div>
          )}
          <UnitsBar
            parts={[
              { name: 'Done', units: BigInt(record.done_count) },
              { name: 'Failed', units: BigInt(record.failed_count) },
              { name: 'Waiting', units: BigInt(record.waiting_count) },
            ]}
          />
        </Card>
      )}
      <Card title="File">
        <Facts>
          <Fact name="Columns">
            {record.columns
              .filter(({ means }) => means !== null)
              .map(({ name, means }) =>
                means?.replace(/^attributes\./, '').toLowerCase() === name.toLowerCase() ? name : `${name} (${means})`,
              )
              .join(', ')}
          </Fact>
          {unknown.length > 0 && <Fact name="Ignored columns">{unknown.map(({ name }) => name).join(', ')}</Fact>}
          {claims && (
            <Fact name="Who pays for the transaction">
              {record.options.tx_payer === 'BUYER' ? 'The recipient' : 'You'}
            </Fact>
          )}
          {record.options.item_id && (
            <Fact name="Item">
              <TextLink href={`/dashboard/items/${record.options.item_id}`}>The same for everyone</TextLink>
            </Fact>
          )}
          <Fact name="Uploaded">
            <Time at={record.created_at} />
          </Fact>
          {record.started_at && (
            <Fact name="Started">
              <Time at={record.started_at} />
            </Fact>
          )}
          {record.ended_at && (
            <Fact name="Ended">
              <Time at={record.ended_at} />
            </Fact>
          )}
        </Facts>
      </Card>
      <h2 className="text-lg font-medium">Lines</h2>
      <Filters path={here} active={Boolean(verdict || state)}>
        <Choice label="Verdict" name="verdict" value={verdict} options={VERDICTS} />
        {!validated && <Choice label="Result" name="state" value={state} options={ROW_STATES} />}
      </Filters>
      <Card flush>
        {rows.results.length === 0 ? (
          <EmptyState title="No lines match" action={<LinkButton href={here}>Show all</LinkButton>} />
        ) : (
          <Table caption="Lines">
            <Thead>
              <Th>Line</Th>
              <Th>What</Th>
              <Th>{validated ? 'Verdict' : 'State'}</Th>
              <Th>Why</Th>
            </Thead>
            <Tbody>
              {rows.results.map((row) => (
                <Tr key={row.line}>
                  <Td label="Line">{row.line.toLocaleString('en')}</Td>
                  <Td rowHeader>
                    <span className="line-clamp-3 wrap-anywhere">
                      {row.result_id ? (
                        <TextLink href={`/dashboard/${claims ? 'claims' : 'items'}/${row.result_id}`}>
                          {nameOf(row.fields, record.columns, claims)}
                        </TextLink>
                      ) : (
                        nameOf(row.fields, record.columns, claims)
                      )}
                    </span>
                  </Td>
                  <Td label={validated ? 'Verdict' : 'State'}>
                    {validated || row.verdict !== 'OK' ? (
                      <VerdictBadge verdict={row.verdict} />
                    ) : (
                      <RowBadge state={row.state} />
                    )}
                  </Td>
                  <Td>
                    <span className="grid gap-1 wrap-anywhere text-muted">
                      {[...row.reasons, ...(row.failure ? [row.failure] : [])].map((reason) => (
                        <span key={reason}>{reason}</span>
                      ))}
                    </span>
                  </Td>
                </Tr>
              ))}
            </Tbody>
          </Table>
        )}
      </Card>
      <Pager
        first={query.cursor ? hrefOf(here, { verdict, state }) : null}
        next={rows.cursor && hrefOf(here, { verdict, state, cursor: rows.cursor })}
        total={rows.total_results}
        noun={rows.total_results === 1 ? 'line' : 'lines'}
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

function Verdict({
  good,
  repeated,
  wrong,
  outcome,
}: {
  good: number
  repeated: number
  wrong: number
  outcome: string
}) {
  const parts = [
    ...(repeated > 0 ? [`${lines(repeated)} ${repeated === 1 ? 'is' : 'are'} repeated and skipped`] : []),
    ...(wrong > 0 ? [`${lines(wrong)} ${wrong === 1 ? 'is' : 'are'} wrong`] : []),
  ]
  const summary = parts.length > 0 ? `${parts.join('; ')}. See why below.` : 'No errors.'
  if (good === 0)
    return (
      <Alert tone="danger" title="No line of this file can be imported.">
        {summary} Correct the file and upload it again.
      </Alert>
    )
  return (
    <Alert tone={wrong > 0 ? 'warning' : 'positive'} title={`${outcome} once you start the import.`}>
      {summary}
      {wrong > 0 && ' You can start without those lines, or fix the file and upload it again.'}
    </Alert>
  )
}
