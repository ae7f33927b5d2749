import type { Metadata } from 'next'
import { ActionForm, Submit } from '@/components/dashboard/forms/action-form'
import { AllowListField } from '@/components/dashboard/listings/allow-list-field'
import { ChainLink } from '@/components/ui/chain-link'
import { Filters } from '@/components/dashboard/lists/filters'
import { hrefOf } from '@/components/dashboard/lists/href'
import { LinkButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { PageHeader } from '@/components/ui/page-header'
import { Pager } from '@/components/ui/pager'
import { Table, Tbody, Td, Th, Thead, Tr } from '@/components/ui/table'
import { RelativeTime } from '@/components/ui/relative-time'
import * as api from '@/lib/platform/api/allow-lists'
import { may } from '@/lib/platform/auth/context'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { orNotFound } from '@/lib/platform/http/or-not-found'
import { readQuery } from '@/lib/platform/http/page-query'
import { getListing } from '@/lib/offers/listings/get-listing'
import { listAllowances } from '@/lib/offers/listings/list-allowances'
import { changeAllowListAction, undoAllowListAction } from '../../actions'
import { subjectOf } from '../../listing-subject'

export const metadata: Metadata = { title: 'Allow list' }

export default async function AllowListPage({
  params,
  searchParams,
}: PageProps<'/dashboard/listings/[listingId]/allow-list'>) {
  const { listingId } = await params
  const ctx = await dashboardContext()
  const listing = await orNotFound(listingId, (id) => getListing(ctx, id))
  const query = readQuery(api.listAllowances.query, await searchParams)
  const [allowed, { title }] = await Promise.all([
    listAllowances(ctx, listing.id, {
      ...query,
      limit: Math.min(query.limit, 50),
      order_direction: query.order_direction ?? 'ASC',
    }),
    subjectOf(ctx, listing),
  ])
  const here = `/dashboard/listings/${listing.id}`
  const path = `${here}/allow-list`
  const search = query.search ?? null
  const mayWrite = may(ctx, 'listings:write') && !['COMPLETE', 'CANCELLED', 'EXPIRED'].includes(listing.status)
  return (
    <>
      <PageHeader
        back={{ href: here, label: title }}
        title="Allow list"
        description="Only these people can buy. Changes apply immediately; purchases in progress continue."
      />
      {mayWrite && (
        <Card title="Add or remove">
          <ActionForm
            action={changeAllowListAction.bind(null, listing.id)}
            undo={undoAllowListAction.bind(null, listing.id)}
          >
            <AllowListField addresses="eth_addresses" emails="email_addresses" />
            <div className="flex flex-wrap gap-2">
              <Submit name="action" value="ADD">
                Add them
              </Submit>
              <Submit variant="danger" name="action" value="REMOVE">
                Remove them
              </Submit>
            </div>
          </ActionForm>
        </Card>
      )}
      {(search || allowed.total_results > 0) && (
        <Filters path={path} active={Boolean(search)}>
          <Field label="Part of an address or email">
            <Input name="search" type="search" defaultValue={search ?? ''} />
          </Field>
        </Filters>
      )}
      {allowed.results.length === 0 ? (
        <Card>
          {search ? (
            <EmptyState title="No matches" action={<LinkButton href={path}>Show all</LinkButton>} />
          ) : (
            <EmptyState title="Nobody is on the list yet">Until somebody is, nobody can buy.</EmptyState>
          )}
        </Card>
      ) : (
        <Card flush>
          <Table caption="Allow list">
            <Thead>
              <Th>Who</Th>
              <Th>Kind</Th>
              <Th>Added</Th>
            </Thead>
            <Tbody>
              {allowed.results.map(({ eth_address: address, email_address: email, created_at: at }) => (
                <Tr key={address ?? email}>
                  <Td rowHeader>
                    {address ? (
                      <ChainLink value={address} kind="address" explorerUrl={null} />
                    ) : (
                      <span className="break-all">{email}</span>
                    )}
                  </Td>
                  <Td label="Kind">{address ? 'Address' : 'Email'}</Td>
                  <Td label="Added">
                    <RelativeTime at={at} />
                  </Td>
                </Tr>
              ))}
            </Tbody>
          </Table>
        </Card>
      )}
      <Pager
        first={query.cursor ? hrefOf(path, { search }) : null}
        next={allowed.cursor && hrefOf(path, { search, cursor: allowed.cursor })}
        total={allowed.total_results}
        isEstimate={allowed.total_is_estimate}
        noun={allowed.total_results === 1 ? 'entry' : 'entries'}
      />
    </>
  )
}
