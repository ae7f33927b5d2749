import type { Metadata } from 'next'
import { Camera } from 'lucide-react'
import { ConfirmAction } from '@/components/dashboard/forms/confirm-action'
import { DownloadLink } from '@/components/dashboard/forms/download-link'
import { hrefOf } from '@/components/dashboard/lists/href'
import { ListPage } from '@/components/dashboard/lists/list-page'
import { StateBadge } from '@/components/ui/badge'
import { Button, LinkButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Table, Tbody, Td, Th, Thead, Tr } from '@/components/ui/table'
import { TextLink } from '@/components/ui/text-link'
import { Time } from '@/components/ui/time'
import * as api from '@/lib/platform/api/snapshots'
import { may } from '@/lib/platform/auth/context'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { findCollections } from '@/lib/catalog/collections/find-collections'
import { readQuery } from '@/lib/platform/http/page-query'
import { listSnapshots } from '@/lib/data/snapshots/list-snapshots'
import { renameSnapshotAction } from './actions'

export const metadata: Metadata = { title: 'Snapshots' }

const path = '/dashboard/snapshots'
const STATES = {
  PENDING: <StateBadge state="PENDING" label="Waiting for its block" />,
  READY: <StateBadge state="COMPLETED" label="Ready" />,
  FAILED: <StateBadge state="FAILED" />,
} as const

const percentOf = ({ done, total }: { done: number; total: number }): number =>
  total === 0 ? 100 : Math.min(100, Math.floor((done / total) * 100))

export default async function SnapshotsPage({ searchParams }: PageProps<'/dashboard/snapshots'>) {
  const ctx = await dashboardContext()
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
      New snapshot
    </LinkButton>
  )
  return (
    <ListPage
      path={path}
      title="Snapshots"
      description="Who owned which items of a collection at a certain moment. A listing can be limited to these people."
      actions={make}
      noun={['snapshot', 'snapshots']}
      page={snapshots}
      cursor={query.cursor}
      refreshSeconds={snapshots.results.some(({ status }) => status === 'PENDING') && 3}
      filters={{
        collection_id: {
          label: 'Collection',
          value: collection_id,
          shown: collection_id && collections.get(collection_id)?.name,
        },
      }}
      empty={{
        title: 'No snapshots yet',
        action: make,
        children:
          'Choose a collection and a moment. The list of holders can be downloaded, or used to limit who can buy a listing.',
      }}
    >
      <Card flush>
        <Table caption="Snapshots">
          <Thead>
            <Th>Name</Th>
            <Th>Collection</Th>
            <Th>State</Th>
            <Th>Block</Th>
            <Th>Holders</Th>
            <Th>
              <span className="sr-only">Actions</span>
            </Th>
          </Thead>
          <Tbody>
            {snapshots.results.map((snapshot) => (
              <Tr key={snapshot.id}>
                <Td rowHeader>
                  <span className="wrap-anywhere">{snapshot.name}</span>
                </Td>
                <Td label="Collection">
                  <TextLink href={`/dashboard/collections/${snapshot.collection_id}`}>
                    {collections.get(snapshot.collection_id)?.name}
                  </TextLink>
                </Td>
                <Td label="State">
                  <span className="grid justify-items-start gap-1">
                    {snapshot.progress ? (
                      <StateBadge state="PENDING" label={`Counting: ${percentOf(snapshot.progress)} %`} />
                    ) : (
                      STATES[snapshot.status]
                    )}
                    {snapshot.failure && <span className="text-muted">{snapshot.failure}</span>}
                  </span>
                </Td>
                <Td label="Block">
                  {snapshot.block_number !== null ? (
                    <span className="figures">{snapshot.block_number.toString()}</span>
                  ) : snapshot.timestamp ? (
                    <Time at={snapshot.timestamp} />
                  ) : (
                    '–'
                  )}
                </Td>
                <Td label="Holders">{snapshot.holder_count?.toLocaleString('en') ?? '–'}</Td>
                <Td align="right">
                  <span className="inline-flex flex-wrap gap-2">
                    {snapshot.status === 'READY' && (
                      <DownloadLink
                        small
                        href={`/v1/snapshots/${snapshot.id}/holders.csv`}
                        name={`${snapshot.name}.csv`}
                      >
                        CSV<span className="sr-only"> of {snapshot.name}</span>
                      </DownloadLink>
                    )}
                    {mayWrite && (
                      <ConfirmAction
                        action={renameSnapshotAction.bind(null, snapshot.id)}
                        trigger={
                          <Button size="sm" variant="quiet" aria-label={`Rename ${snapshot.name}`}>
                            Rename
                          </Button>
                        }
                        title="Rename this snapshot"
                        description="Its holders stay as they are."
                        confirm="Rename it"
                        tone="primary"
                      >
                        <Field label="Name">
                          <Input name="name" defaultValue={snapshot.name} autoComplete="off" />
                        </Field>
                      </ConfirmAction>
                    )}
                  </span>
                </Td>
              </Tr>
            ))}
          </Tbody>
        </Table>
      </Card>
    </ListPage>
  )
}
