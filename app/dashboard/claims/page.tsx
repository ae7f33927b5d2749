import type { Metadata } from 'next'
import { Mail } from 'lucide-react'
import { ClaimBadge } from '@/components/dashboard/claim-badge'
import { Filters } from '@/components/dashboard/filters'
import { hrefOf } from '@/components/dashboard/href'
import { LinkButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { Field } from '@/components/ui/field'
import { Input, Select } from '@/components/ui/input'
import { PageHeader } from '@/components/ui/page-header'
import { Pager } from '@/components/ui/pager'
import { titleOf } from '@/components/ui/picture'
import { Table, Tbody, Td, Th, Thead, Tr } from '@/components/ui/table'
import { TextLink } from '@/components/ui/text-link'
import { Time } from '@/components/ui/time'
import * as api from '@/lib/api/email-claims'
import { may } from '@/lib/auth/context'
import { dashboardContext } from '@/lib/auth/dashboard'
import { listClaims } from '@/lib/claims/list-claims'
import { readQuery } from '@/lib/http/page-query'
import { getItem } from '@/lib/items/get-item'

export const metadata: Metadata = { title: 'Email claims' }

const path = '/dashboard/claims'

export default async function ClaimsPage({ searchParams }: PageProps<'/dashboard/claims'>) {
  const ctx = await dashboardContext()
  const query = readQuery(api.listEmailClaims.query, await searchParams)
  const claims = await listClaims(ctx, { ...query, limit: Math.min(query.limit, 25) })
  const itemIds = [...new Set(claims.results.map(({ item_id }) => item_id))]
  const items = new Map((await Promise.all(itemIds.map((id) => getItem(ctx, id)))).map((item) => [item.id, item]))
  const { state, email, item_id, collection_id } = query
  const filters = { state, email, item_id, collection_id }
  const filtered = Boolean(state || email || item_id || collection_id)
  const send = may(ctx, 'email_claims:write') && (
    <LinkButton href={`${path}/new`} variant="primary" icon={<Mail aria-hidden="true" className="size-4" />}>
      Send an item
    </LinkButton>
  )
  return (
    <>
      <PageHeader title="Email claims" description="Items on their way to people. All the recipient needs is the mailbox; a wallet can be made on the spot." actions={send} />
      {(filtered || claims.total_results > 0) && (
        <Filters path={path} active={filtered}>
          <Field label="State">
            <Select name="state" defaultValue={state ?? ''}>
              <option value="">Any</option>
              <option value="ACTIVE">Waiting for the recipient</option>
              <option value="CLAIMED">Claimed</option>
              <option value="EXPIRED">Expired</option>
              <option value="LOCKED">Locked</option>
              <option value="REVOKED">Revoked</option>
            </Select>
          </Field>
          <Field label="Email">
            <Input name="email" type="email" defaultValue={email ?? ''} />
          </Field>
        </Filters>
      )}
      {claims.results.length === 0 ? (
        <Card>
          {filtered ? (
            <EmptyState title="No claim fits" action={<LinkButton href={path}>Show all</LinkButton>} />
          ) : (
            <EmptyState title="Nothing sent yet" action={send}>
              Choose a locked item and an email address. The recipient opens the link, proves the mailbox with a PIN and says where the item should go. You see each step here.
            </EmptyState>
          )}
        </Card>
      ) : (
        <Card flush>
          <Table caption="Email claims">
            <Thead>
              <Th>To</Th>
              <Th>Item</Th>
              <Th>State</Th>
              <Th>Sent</Th>
              <Th>Expires</Th>
            </Thead>
            <Tbody>
              {claims.results.map((claim) => {
                const item = items.get(claim.item_id)
                return (
                  <Tr key={claim.id}>
                    <Td rowHeader>
                      <TextLink href={`${path}/${claim.id}`} className="break-all">
                        {claim.email}
                      </TextLink>
                    </Td>
                    <Td label="Item">
                      <TextLink href={`/dashboard/items/${claim.item_id}`}>{item ? titleOf(item) : 'Show'}</TextLink>
                      {claim.quantity > 1n && ` × ${claim.quantity}`}
                    </Td>
                    <Td label="State">
                      <ClaimBadge claim={claim} />
                    </Td>
                    <Td label="Sent">
                      <Time at={claim.created_at} relative />
                    </Td>
                    <Td label="Expires">{!claim.active ? '–' : claim.expiration ? <Time at={claim.expiration} relative /> : 'Never'}</Td>
                  </Tr>
                )
              })}
            </Tbody>
          </Table>
        </Card>
      )}
      <Pager
        first={query.cursor ? hrefOf(path, filters) : null}
        next={claims.cursor && hrefOf(path, { ...filters, cursor: claims.cursor })}
        total={claims.total_results}
        noun={claims.total_results === 1 ? 'claim' : 'claims'}
      />
    </>
  )
}
