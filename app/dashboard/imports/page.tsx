import type { Metadata } from 'next'
import { FileUp } from 'lucide-react'
import { Choice, wordsFor } from '@/components/dashboard/forms/choice'
import { ExportForm } from '@/components/dashboard/imports/export-form'
import { ImportBadge, ImportProgress } from '@/components/dashboard/imports/import-badge'
import { IMPORT_KINDS, IMPORT_STATES } from '@/components/dashboard/imports/import-labels'
import { ListPage } from '@/components/dashboard/lists/list-page'
import { LinkButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Table, Tbody, Td, Th, Thead, Tr } from '@/components/ui/table'
import { TextLink } from '@/components/ui/text-link'
import { RelativeTime } from '@/components/ui/relative-time'
import * as api from '@/lib/platform/api/imports'
import { may } from '@/lib/platform/auth/context'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { listCollectionChoices } from '@/lib/catalog/collections/list-collection-choices'
import { readQuery } from '@/lib/platform/http/page-query'
import { listImports } from '@/lib/data/imports/list-imports'

export const metadata: Metadata = { title: 'Imports and exports' }

const path = '/dashboard/imports'

export default async function ImportsPage({ searchParams }: PageProps<'/dashboard/imports'>) {
  const ctx = await dashboardContext()
  const query = readQuery(api.listImports.query, await searchParams)
  const [imports, collections] = await Promise.all([
    listImports(ctx, { ...query, limit: Math.min(query.limit, 25) }),
    listCollectionChoices(ctx),
  ])
  const { kind, state } = query
  const make = may(ctx, 'imports:write') && (may(ctx, 'items:write') || may(ctx, 'email_claims:write')) && (
    <LinkButton href={`${path}/new`} variant="primary" icon={<FileUp aria-hidden="true" className="size-4" />}>
      New import
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
        title="Imports and exports"
        description="Import items or email claims from CSV files, and export your data. Every line is checked before anything happens."
        actions={make}
        noun={['import', 'imports']}
        page={imports}
        cursor={query.cursor}
        refreshSeconds={imports.results.some((one) => one.state === 'RUNNING') && 3}
        filters={{
          kind: { label: 'What', value: kind, shown: wordsFor(IMPORT_KINDS, kind) },
          state: { label: 'State', value: state, shown: wordsFor(IMPORT_STATES, state) },
        }}
        fields={
          <>
            <Choice label="What" name="kind" value={kind} options={IMPORT_KINDS} any="All" />
            <Choice label="State" name="state" value={state} options={IMPORT_STATES} />
          </>
        }
        empty={{
          title: 'No imports yet',
          action: make,
          children:
            'Create hundreds of items from a spreadsheet, or send an item to everyone on a list. You see errors and duplicates before anything happens.',
        }}
      >
        <Card flush>
          <Table caption="Imports">
            <Thead>
              <Th>File</Th>
              <Th>What</Th>
              <Th>State</Th>
              <Th>Lines</Th>
              <Th>Done</Th>
              <Th>Uploaded</Th>
            </Thead>
            <Tbody>
              {imports.results.map((one) => (
                <Tr key={one.id}>
                  <Td rowHeader>
                    <TextLink href={`${path}/${one.id}`} className="wrap-anywhere">
                      {one.file_name ?? 'Untitled file'}
                    </TextLink>
                  </Td>
                  <Td label="What">{wordsFor(IMPORT_KINDS, one.kind)}</Td>
                  <Td label="State">
                    <ImportBadge state={one.state} />
                    {one.state === 'RUNNING' && (
                      <ImportProgress done={one.done_count} failed={one.failed_count} all={one.ok_count} />
                    )}
                  </Td>
                  <Td label="Lines">{one.row_count.toLocaleString('en')}</Td>
                  <Td label="Done">
                    {one.done_count.toLocaleString('en')}
                    {one.failed_count > 0 && `, ${one.failed_count.toLocaleString('en')} failed`}
                  </Td>
                  <Td label="Uploaded">
                    <RelativeTime at={one.created_at} />
                  </Td>
                </Tr>
              ))}
            </Tbody>
          </Table>
        </Card>
      </ListPage>
      {exports.length > 0 && (
        <ExportForm files={exports} collections={collections.map(({ id, name }) => [id, name] as const)} />
      )}
    </>
  )
}
