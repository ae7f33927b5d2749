import type { Metadata } from 'next'
import { Stamp } from 'lucide-react'
import { MintBadge } from '@/components/dashboard/items/chain-badges'
import { ChainLink } from '@/components/ui/chain-link'
import { Choice, wordsFor } from '@/components/dashboard/forms/choice'
import { ListPage } from '@/components/dashboard/lists/list-page'
import { pictureOf, RowPicture } from '@/components/dashboard/lists/row-picture'
import { LinkButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { titleOf } from '@/components/ui/picture'
import { Table, Tbody, Td, Th, Thead, Tr } from '@/components/ui/table'
import { TextLink } from '@/components/ui/text-link'
import { RelativeTime } from '@/components/ui/relative-time'
import * as api from '@/lib/platform/api/mint-requests'
import { may } from '@/lib/platform/auth/context'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { listCollectionChoices } from '@/lib/catalog/collections/list-collection-choices'
import { readQuery } from '@/lib/platform/http/page-query'
import { findItems } from '@/lib/catalog/items/find-items'
import { listMints } from '@/lib/onchain/mints/list-mints'

export const metadata: Metadata = { title: 'Mint requests' }

const path = '/dashboard/mint-requests'

export default async function MintRequestsPage({ searchParams }: PageProps<'/dashboard/mint-requests'>) {
  const ctx = await dashboardContext()
  const query = readQuery(api.listMintRequests.query, await searchParams)
  const [mints, collections] = await Promise.all([
    listMints(ctx, { ...query, limit: Math.min(query.limit, 25) }),
    listCollectionChoices(ctx, { deployed: true }),
  ])
  const { collection_id, item_id } = query
  const items = await findItems(ctx, [...mints.results.map((mint) => mint.item_id), ...(item_id ? [item_id] : [])])
  const titleFor = (id: string) => {
    const item = items.get(id)
    return item && titleOf(item)
  }
  const named = collections.map(({ id, name }) => [id, name] as const)
  const mint = may(ctx, 'mint_requests:write') && (
    <LinkButton href={`${path}/new`} variant="primary" icon={<Stamp aria-hidden="true" className="size-4" />}>
      Mint an item
    </LinkButton>
  )
  return (
    <ListPage
      path={path}
      title="Mint requests"
      description="Orders to mint an item to an address, or to transfer one that was minted before. Mints of the same collection share a transaction where possible."
      actions={mint}
      noun={['mint request', 'mint requests']}
      page={mints}
      cursor={query.cursor}
      refreshSeconds={mints.results.some(({ state }) => state === 'WAITING' || state === 'SUBMITTED') && 2}
      filters={{
        collection_id: { label: 'Collection', value: collection_id, shown: wordsFor(named, collection_id) },
        item_id: { label: 'Item', value: item_id, shown: item_id && titleFor(item_id) },
      }}
      fields={
        <>
          <Choice label="Collection" name="collection_id" value={collection_id} options={named} any="All" />
          {item_id && <input type="hidden" name="item_id" value={item_id} />}
        </>
      }
      empty={{
        title: 'No mint requests yet',
        action: mint,
        children:
          'A redeemed email claim creates one automatically. To mint to an address yourself, choose a locked item.',
      }}
    >
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
            {mints.results.map((request) => (
              <Tr key={request.id}>
                <Td rowHeader>
                  <span className="flex items-center gap-3">
                    <RowPicture item={items.get(request.item_id) ?? pictureOf('', null)} />
                    <TextLink href={`/dashboard/items/${request.item_id}`}>
                      {titleFor(request.item_id) ?? 'Show'}
                    </TextLink>
                  </span>
                </Td>
                <Td label="State">
                  <MintBadge mint={request} />
                </Td>
                <Td label="To">
                  <ChainLink value={request.to_address} kind="address" explorerUrl={null} />
                </Td>
                <Td label="Units">{String(request.quantity)}</Td>
                <Td label="Asked for">
                  <RelativeTime at={request.created_at} />
                </Td>
                <Td align="right">
                  <TextLink href={`${path}/${request.id}`}>
                    Details<span className="sr-only"> of {titleFor(request.item_id) ?? 'this request'}</span>
                  </TextLink>
                </Td>
              </Tr>
            ))}
          </Tbody>
        </Table>
      </Card>
    </ListPage>
  )
}
