import type { Metadata } from 'next'
import { Cable, Plus } from 'lucide-react'
import { DeploymentBadge } from '@/components/dashboard/deployment-badge'
import { Filters } from '@/components/dashboard/filters'
import { hrefOf } from '@/components/dashboard/href'
import { Address } from '@/components/ui/address'
import { LinkButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { Field } from '@/components/ui/field'
import { Input, Select } from '@/components/ui/input'
import { PageHeader } from '@/components/ui/page-header'
import { Pager } from '@/components/ui/pager'
import { Table, Tbody, Td, Th, Thead, Tr } from '@/components/ui/table'
import { TextLink } from '@/components/ui/text-link'
import { Time } from '@/components/ui/time'
import * as api from '@/lib/api/collections'
import { may } from '@/lib/auth/context'
import { dashboardContext } from '@/lib/auth/dashboard'
import { listCollections } from '@/lib/collections/list-collections'
import { readQuery } from '@/lib/http/page-query'
import { networkFacts } from '@/lib/networks/network-facts'

export const metadata: Metadata = { title: 'Collections' }

const path = '/dashboard/collections'

export default async function CollectionsPage({ searchParams }: PageProps<'/dashboard/collections'>) {
  const ctx = await dashboardContext()
  const query = readQuery(api.listCollections.query, await searchParams)
  const collections = await listCollections(ctx, { ...query, limit: Math.min(query.limit, 50) })
  const networks = new Map(networkFacts(ctx).map(({ id, name }) => [id, name]))
  const { search, deployment_status: status } = query
  const filtered = Boolean(search || status)
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
    <>
      <PageHeader title="Collections" description="Items that belong together. Each collection has a contract of its own on one network." actions={make} />
      {(filtered || collections.total_results > 0) && (
        <Filters path={path} active={filtered}>
          <Field label="Name">
            <Input name="search" type="search" defaultValue={search ?? ''} />
          </Field>
          <Field label="Deployment">
            <Select name="deployment_status" defaultValue={status ?? ''}>
              <option value="">Any</option>
              <option value="SUCCESS">Live</option>
              <option value="PENDING">Deploying</option>
              <option value="FAILED">Failed</option>
            </Select>
          </Field>
        </Filters>
      )}
      {collections.results.length === 0 ? (
        <Card>
          {filtered ? (
            <EmptyState title="No collection fits" action={<LinkButton href={path}>Show all</LinkButton>} />
          ) : (
            <EmptyState title="An empty case" action={make}>
              First a collection, then the items in it. Deploy its contract with one click, lock an item, and send it to anyone with an email address.
            </EmptyState>
          )}
        </Card>
      ) : (
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
                    <TextLink href={`${path}/${collection.id}`}>{collection.name}</TextLink>
                  </Td>
                  <Td label="State">
                    <DeploymentBadge status={collection.deployment?.status ?? null} />
                  </Td>
                  <Td label="Network">{collection.network_id === null ? '–' : (networks.get(collection.network_id) ?? collection.network_id)}</Td>
                  <Td label="Kind">{collection.token_type === null ? '–' : collection.token_type === 'ERC721' ? 'One of each' : 'Many of each'}</Td>
                  <Td label="Contract">{collection.contract ? <Address value={collection.contract} noun="contract address" /> : '–'}</Td>
                  <Td label="Created">
                    <Time at={collection.created_at} relative />
                  </Td>
                </Tr>
              ))}
            </Tbody>
          </Table>
        </Card>
      )}
      <Pager
        first={query.cursor ? hrefOf(path, { search, deployment_status: status }) : null}
        next={collections.cursor && hrefOf(path, { search, deployment_status: status, cursor: collections.cursor })}
        total={collections.total_results}
        noun={collections.total_results === 1 ? 'collection' : 'collections'}
      />
    </>
  )
}
