import type { Metadata } from 'next'
import { Stamp } from 'lucide-react'
import { MintBadge } from '@/components/dashboard/chain-badges'
import { ChainLink } from '@/components/dashboard/chain-link'
import { Filters } from '@/components/dashboard/filters'
import { hrefOf } from '@/components/dashboard/href'
import { Refresh } from '@/components/dashboard/refresh'
import { LinkButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { Field } from '@/components/ui/field'
import { Select } from '@/components/ui/input'
import { PageHeader } from '@/components/ui/page-header'
import { Pager } from '@/components/ui/pager'
import { titleOf } from '@/components/ui/picture'
import { Table, Tbody, Td, Th, Thead, Tr } from '@/components/ui/table'
import { TextLink } from '@/components/ui/text-link'
import { Time } from '@/components/ui/time'
import * as api from '@/lib/api/mint-requests'
import { may } from '@/lib/auth/context'
import { dashboardContext } from '@/lib/auth/dashboard'
import { listCollections } from '@/lib/collections/list-collections'
import { readQuery } from '@/lib/http/page-query'
import { getItem } from '@/lib/items/get-item'
import { listMints } from '@/lib/mints/list-mints'

export const metadata: Metadata = { title: 'Mint requests' }

const path = '/dashboard/mint-requests'

export default async function MintRequestsPage({ searchParams }: PageProps<'/dashboard/mint-requests'>) {
  const ctx = await dashboardContext()
  const query = readQuery(api.listMintRequests.query, await searchParams)
  const [mints, collections] = await Promise.all([
    listMints(ctx, { ...query, limit: Math.min(query.limit, 25) }),
    listCollections(ctx, { limit: 100, network_id: [], deployment_status: 'SUCCESS' }),
  ])
  const itemIds = [...new Set(mints.results.map(({ item_id }) => item_id))]
  const items = new Map((await Promise.all(itemIds.map((id) => getItem(ctx, id)))).map((item) => [item.id, item]))
  const { collection_id, item_id } = query
  const filtered = Boolean(collection_id || item_id)
  const mint = may(ctx, 'mint_requests:write') && (
    <LinkButton href={`${path}/new`} variant="primary" icon={<Stamp aria-hidden="true" className="size-4" />}>
      Mint an item
    </LinkButton>
  )
  return (
    <>
      {mints.results.some(({ state }) => state === 'WAITING' || state === 'SUBMITTED') && <Refresh />}
      <PageHeader title="Mint requests" description="Each is one order to mint. Many that wait for the same collection leave in one transaction." actions={mint} />
      {(filtered || mints.total_results > 0) && (
        <Filters path={path} active={filtered}>
          <Field label="Collection">
            <Select name="collection_id" defaultValue={collection_id ?? ''}>
              <option value="">All</option>
              {collections.results.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Select>
          </Field>
        </Filters>
      )}
      {mints.results.length === 0 ? (
        <Card>
          {filtered ? (
            <EmptyState title="No mint request fits" action={<LinkButton href={path}>Show all</LinkButton>} />
          ) : (
            <EmptyState title="Nothing minted yet" action={mint}>
              A redeemed email claim makes one by itself. To mint to an address you know, choose a locked item.
            </EmptyState>
          )}
        </Card>
      ) : (
        <Card flush>
          <Table caption="Mint requests">
            <Thead>
              <Th>Item</Th>
              <Th>State</Th>
              <Th>To</Th>
              <Th>Units</Th>
              <Th>Asked for</Th>
              <Th>
                <span className="sr-only">Details</span>
              </Th>
            </Thead>
            <Tbody>
              {mints.results.map((request) => {
                const item = items.get(request.item_id)
                return (
                  <Tr key={request.id}>
                    <Td rowHeader>
                      <TextLink href={`/dashboard/items/${request.item_id}`}>{item ? titleOf(item) : 'Show'}</TextLink>
                    </Td>
                    <Td label="State">
                      <MintBadge state={request.state} />
                    </Td>
                    <Td label="To">
                      <ChainLink value={request.to_address} kind="address" explorerUrl={null} />
                    </Td>
                    <Td label="Units">{String(request.quantity)}</Td>
                    <Td label="Asked for">
                      <Time at={request.created_at} relative />
                    </Td>
                    <Td align="right">
                      <TextLink href={`${path}/${request.id}`}>
                        Details<span className="sr-only"> of {item ? titleOf(item) : 'this request'}</span>
                      </TextLink>
                    </Td>
                  </Tr>
                )
              })}
            </Tbody>
          </Table>
        </Card>
      )}
      <Pager
        first={query.cursor ? hrefOf(path, { collection_id, item_id }) : null}
        next={mints.cursor && hrefOf(path, { collection_id, item_id, cursor: mints.cursor })}
        total={mints.total_results}
        noun={mints.total_results === 1 ? 'mint request' : 'mint requests'}
      />
    </>
  )
}
