import type { Metadata } from 'next'
import { Cable, Plus } from 'lucide-react'
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

export const metadata: Metadata = { title: 'Collections' }

const path = '/dashboard/collections'
const DEPLOYMENTS = [
  ['SUCCESS', 'Live'],
  ['PENDING', 'Deploying'],
  ['FAILED', 'Failed'],
] as const

export default async function CollectionsPage({ searchParams }: PageProps<'/dashboard/collections'>) {
  const ctx = await dashboardContext()
  const query = readQuery(api.listCollections.query, await searchParams)
  const collections = await listCollections(ctx, { ...query, limit: Math.min(query.limit, 50) })
  const networks = new Map(networkFacts(ctx).map(({ id, name }) => [id, name]))
  const { search, deployment_status: status } = query
  const make = may(ctx, 'collections:write') && (
    <>
      <LinkButton href={`${path}/connect`} icon={<Cable aria-hidden="true" className="size-4" />}>
        Connect a contract
      </LinkButton>
      <LinkButton href={`${path}/new`} variant="primary" icon={<Plus aria-hidden="true" className="size-4" />}>
        New collection
      </LinkButton>
    </>
  )
  return (
    <ListPage
      path={path}
      title="Collections"
      description="Groups of items. Each collection has its own contract on one network."
      actions={make}
      noun={['collection', 'collections']}
      page={collections}
      cursor={query.cursor}
      filters={{
        search: { label: 'Name', value: search },
        deployment_status: { label: 'Deployment', value: status, shown: wordsFor(DEPLOYMENTS, status) },
      }}
      fields={
        <>
          <Field label="Name">
            <Input name="search" type="search" defaultValue={search ?? ''} />
          </Field>
          <Choice label="Deployment" name="deployment_status" value={status} options={DEPLOYMENTS} />
        </>
      }
      empty={{
        title: 'No collections yet',
        action: make,
        children:
          'Create a collection, add items to it, deploy its contract with one click, and send items to anyone with an email address.',
      }}
    >
      <Card flush>
        <Table caption="Collections">
          <Thead>
            <Th>Name</Th>
            <Th>State</Th>
            <Th>Network</Th>
            <Th>Kind</Th>
            <Th>Contract</Th>
            <Th>Created</Th>
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
                <Td label="State">
                  <DeploymentBadge status={collection.deployment?.status ?? null} />
                </Td>
                <Td label="Network">
                  {collection.network_id === null
                    ? '–'
                    : (networks.get(collection.network_id) ?? collection.network_id)}
                </Td>
                <Td label="Kind">
                  {collection.token_type === null
                    ? '–'
                    : collection.token_type === 'ERC721'
                      ? 'One of each'
                      : 'Many of each'}
                </Td>
                <Td label="Contract">
                  {collection.contract ? (
                    <Address value={collection.contract} copyLabel="Copy contract address" />
                  ) : (
                    '–'
                  )}
                </Td>
                <Td label="Created">
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
