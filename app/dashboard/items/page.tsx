import type { Metadata } from 'next'
import { Lock, Plus } from 'lucide-react'
import { ActionForm, FormField, Submit } from '@/components/dashboard/action-form'
import { Filters } from '@/components/dashboard/filters'
import { hrefOf } from '@/components/dashboard/href'
import { TokenBadge } from '@/components/dashboard/token-badge'
import { LinkButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { Field } from '@/components/ui/field'
import { Input, Select } from '@/components/ui/input'
import { PageHeader } from '@/components/ui/page-header'
import { Pager } from '@/components/ui/pager'
import { ItemPicture, titleOf } from '@/components/ui/picture'
import { Table, Tbody, Td, Th, Thead, Tr } from '@/components/ui/table'
import { TextLink } from '@/components/ui/text-link'
import { Time } from '@/components/ui/time'
import * as api from '@/lib/api/items'
import { may } from '@/lib/auth/context'
import { dashboardContext } from '@/lib/auth/dashboard'
import { listCollections } from '@/lib/collections/list-collections'
import { readQuery } from '@/lib/http/page-query'
import { listItems } from '@/lib/items/list-items'
import { lockManyAction } from './actions'

export const metadata: Metadata = { title: 'Items' }

const path = '/dashboard/items'

export default async function ItemsPage({ searchParams }: PageProps<'/dashboard/items'>) {
  const ctx = await dashboardContext()
  const query = readQuery(api.listItems.query, await searchParams)
  const [items, collections] = await Promise.all([
    listItems(ctx, { ...query, limit: Math.min(query.limit, 50) }),
    listCollections(ctx, { limit: 100, network_id: [] }),
  ])
  const { search, collection_id, locked, token_status, attribute } = query
  const filters = { search, collection_id, locked, token_status, attribute }
  const filtered = Boolean(search || collection_id || locked || token_status || attribute.length > 0)
  const nameOf = new Map(collections.results.map(({ id, name }) => [id, name]))
  const mayWrite = may(ctx, 'items:write')
  const editionIds = new Set(collections.results.filter(({ token_type }) => token_type !== 'ERC721').map(({ id }) => id))
  const editions = items.results.some((item) => !item.locked && editionIds.has(item.collection_id))
  const lockable = mayWrite && items.results.some((item) => !item.locked)
  const make =
    mayWrite &&
    (collections.total_results > 0 ? (
      <LinkButton href={hrefOf(`${path}/new`, { collection_id })} variant="primary" icon={<Plus aria-hidden="true" className="size-4" />}>
        New item
      </LinkButton>
    ) : (
      <LinkButton href="/dashboard/collections/new" variant="primary">
        Make a collection first
      </LinkButton>
    ))
  const table = (
    <Card flush>
      <Table caption="Items">
        <Thead>
          {lockable && (
            <Th>
              <span className="sr-only">Choose</span>
            </Th>
          )}
          <Th>Item</Th>
          <Th>Collection</Th>
          <Th>State</Th>
          <Th>Token id</Th>
          <Th>Units</Th>
          <Th>Created</Th>
        </Thead>
        <Tbody>
          {items.results.map((item) => (
            <Tr key={item.id}>
              {lockable && (
                <Td {...(!item.locked && { label: 'Choose' })}>
                  {!item.locked && (
                    <label className="inline-flex min-h-8 items-center gap-2">
                      <input type="checkbox" name="item_ids:list" value={item.id} className="size-4.5 accent-glass" />
                      <span className="sr-only">{titleOf(item)}</span>
                    </label>
                  )}
                </Td>
              )}
              <Td rowHeader>
                <span className="flex items-center gap-3">
                  <span className="size-10 shrink-0 overflow-hidden rounded-sm border bg-well">
                    <ItemPicture item={item} size="tiny" className="size-full" />
                  </span>
                  <TextLink href={`${path}/${item.id}`} className="line-clamp-2 break-words max-sm:wrap-anywhere">
                    {titleOf(item)}
                  </TextLink>
                </span>
              </Td>
              <Td label="Collection">
                <TextLink href={`/dashboard/collections/${item.collection_id}`}>{nameOf.get(item.collection_id) ?? 'Show'}</TextLink>
              </Td>
              <Td label="State">
                <TokenBadge item={item} />
              </Td>
              <Td label="Token id">
                <span className="figures">{item.token_id ?? '–'}</span>
              </Td>
              <Td label="Units">{item.locked ? `${item.minted + item.held} of ${item.max_supply ?? '∞'}` : '–'}</Td>
              <Td label="Created">
                <Time at={item.created_at} relative />
              </Td>
            </Tr>
          ))}
        </Tbody>
      </Table>
    </Card>
  )
  return (
    <>
      <PageHeader title="Items" description="One thing each that can be owned. Lock an item to give it its token id; then it can be sent and minted." actions={make} />
      {(filtered || items.total_results > 0) && (
        <Filters path={path} active={filtered}>
          <Field label="Title">
            <Input name="search" type="search" defaultValue={search ?? ''} />
          </Field>
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
          <Field label="Locked">
            <Select name="locked" defaultValue={locked ?? ''}>
              <option value="">Any</option>
              <option value="true">Locked</option>
              <option value="false">Not locked</option>
            </Select>
          </Field>
          <Field label="On the chain">
            <Select name="token_status" defaultValue={token_status ?? ''}>
              <option value="">Any</option>
              <option value="NOT_MINTED">Not minted</option>
              <option value="MINTING">Minting</option>
              <option value="MINTED">Minted</option>
              <option value="BURNED">Burned</option>
            </Select>
          </Field>
          <Field label="Attribute">
            <Input name="attribute" defaultValue={attribute[0] ?? ''} placeholder="colour:violet" />
          </Field>
        </Filters>
      )}
      {items.results.length === 0 ? (
        <Card>
          {filtered ? (
            <EmptyState title="No item fits" action={<LinkButton href={path}>Show all</LinkButton>} />
          ) : (
            <EmptyState title="Nothing on display yet" action={make}>
              Give an item a title and, if you like, a picture and attributes. It stays yours to change until you lock it.
            </EmptyState>
          )}
        </Card>
      ) : lockable ? (
        <ActionForm action={lockManyAction}>
          {table}
          <div className="flex flex-wrap items-end gap-3">
            {editions && (
              <FormField name="max_supply" label="Units of each" hint="Where there are many of each. Left empty: no limit.">
                <Input name="max_supply" inputMode="numeric" />
              </FormField>
            )}
            <Submit variant="secondary" icon={<Lock aria-hidden="true" className="size-4" />}>
              Lock the ticked ones
            </Submit>
          </div>
        </ActionForm>
      ) : (
        table
      )}
      <Pager
        first={query.cursor ? hrefOf(path, filters) : null}
        next={items.cursor && hrefOf(path, { ...filters, cursor: items.cursor })}
        total={items.total_results}
        noun={items.total_results === 1 ? 'item' : 'items'}
      />
    </>
  )
}
