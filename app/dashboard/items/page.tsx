import type { Metadata } from 'next'
import { FileUp, Lock, Mail, Plus, Stamp, Trash2 } from 'lucide-react'
import { BulkButton, BulkDelete, BulkLink } from '@/components/dashboard/lists/bulk-actions'
import { BulkAll, BulkCheck, BulkList, BulkTr } from '@/components/dashboard/lists/bulk-list'
import { Choice, wordsFor } from '@/components/dashboard/forms/choice'
import { DownloadLink } from '@/components/dashboard/forms/download-link'
import { hrefOf } from '@/components/dashboard/lists/href'
import { stockOf } from '@/components/dashboard/items/item-stock'
import { ListPage } from '@/components/dashboard/lists/list-page'
import { RowPicture } from '@/components/dashboard/lists/row-picture'
import { TokenBadge } from '@/components/dashboard/items/token-badge'
import { LinkButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { titleOf } from '@/components/ui/picture'
import { Table, Tbody, Td, Th, Thead } from '@/components/ui/table'
import { TextLink } from '@/components/ui/text-link'
import { RelativeTime } from '@/components/ui/relative-time'
import { committedUnits, givableUnits } from '@/lib/core/stock'
import * as api from '@/lib/platform/api/items'
import { may } from '@/lib/platform/auth/context'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { listCollectionChoices } from '@/lib/catalog/collections/list-collection-choices'
import { readQuery } from '@/lib/platform/http/page-query'
import { listItems } from '@/lib/catalog/items/list-items'
import { deleteManyAction, lockManyAction } from './actions'

export const metadata: Metadata = { title: 'Items' }

const path = '/dashboard/items'
const LOCKED = [
  ['true', 'Locked'],
  ['false', 'Not locked'],
] as const
const ON_CHAIN = [
  ['NOT_MINTED', 'Not minted'],
  ['MINTING', 'Minting'],
  ['MINTED', 'Minted'],
  ['BURNED', 'Burned'],
] as const

export default async function ItemsPage({ searchParams }: PageProps<'/dashboard/items'>) {
  const ctx = await dashboardContext()
  const query = readQuery(api.listItems.query, await searchParams)
  const [items, collections] = await Promise.all([
    listItems(ctx, { ...query, limit: Math.min(query.limit, 50) }),
    listCollectionChoices(ctx),
  ])
  const { search, collection_id, locked, token_status, attribute } = query
  const collectionOf = new Map(collections.map((collection) => [collection.id, collection]))
  const named = collections.map(({ id, name }) => [id, name] as const)
  const [mayWrite, maySend, mayMint] = [
    may(ctx, 'items:write'),
    may(ctx, 'email_claims:write'),
    may(ctx, 'mint_requests:write'),
  ]
  const rows = items.results.map((item) => {
    const deployed = collectionOf.get(item.collection_id)?.deployment?.status === 'SUCCESS'
    const left = givableUnits(stockOf(item))
    return {
      id: item.id,
      name: titleOf(item),
      can: item.locked ? (deployed && (left === null || left > 0n) ? ['send', 'mint'] : []) : ['lock', 'delete'],
    }
  })
  const choosable = (mayWrite || maySend || mayMint) && rows.some(({ can }) => can.length > 0)
  const editions = items.results.some(
    (item) => !item.locked && collectionOf.get(item.collection_id)?.token_type !== 'ERC721',
  )
  const make =
    mayWrite &&
    (collections.length > 0 ? (
      <LinkButton
        href={hrefOf(`${path}/new`, { collection_id })}
        variant="primary"
        icon={<Plus aria-hidden="true" className="size-4" />}
      >
        New item
      </LinkButton>
    ) : (
      <LinkButton href="/dashboard/collections/new" variant="primary">
        Create a collection first
      </LinkButton>
    ))
  const table = (
    <Card flush>
      <Table caption="Items">
        <Thead>
          {choosable && (
            <Th>
              <BulkAll />
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
            <BulkTr key={item.id} id={item.id}>
              {choosable && (
                <Td label="Choose">
                  <BulkCheck id={item.id} name={titleOf(item)} />
                </Td>
              )}
              <Td rowHeader>
                <span className="flex items-center gap-3">
                  <RowPicture item={item} />
                  <TextLink href={`${path}/${item.id}`} className="line-clamp-2 wrap-anywhere">
                    {titleOf(item)}
                  </TextLink>
                </span>
              </Td>
              <Td label="Collection">
                <TextLink href={`/dashboard/collections/${item.collection_id}`}>
                  {collectionOf.get(item.collection_id)?.name ?? 'Show'}
                </TextLink>
              </Td>
              <Td label="State">
                <TokenBadge item={item} />
              </Td>
              <Td label="Token id">
                <span className="figures">{item.token_id ?? '–'}</span>
              </Td>
              <Td label="Units">
                {item.locked ? `${committedUnits(stockOf(item))} of ${item.max_supply ?? '∞'}` : '–'}
              </Td>
              <Td label="Created">
                <RelativeTime at={item.created_at} />
              </Td>
            </BulkTr>
          ))}
        </Tbody>
      </Table>
    </Card>
  )
  return (
    <ListPage
      path={path}
      title="Items"
      description="Everything you can give or sell. Lock an item to give it a token id; then it can be sent and minted."
      noun={['item', 'items']}
      page={items}
      cursor={query.cursor}
      actions={
        <>
          {mayWrite && may(ctx, 'imports:write') && collections.length > 0 && (
            <LinkButton
              href={hrefOf('/dashboard/imports/new', { kind: 'ITEMS', collection_id })}
              icon={<FileUp aria-hidden="true" className="size-4" />}
            >
              Import
            </LinkButton>
          )}
          {items.total_results > 0 && (
            <DownloadLink
              href={hrefOf('/v1/exports/items.csv', { search, collection_id, locked, token_status, attribute })}
            >
              Export
            </DownloadLink>
          )}
          {make}
        </>
      }
      filters={{
        search: { label: 'Title', value: search },
        collection_id: { label: 'Collection', value: collection_id, shown: wordsFor(named, collection_id) },
        locked: { label: 'Locked', value: locked, shown: wordsFor(LOCKED, locked) },
        token_status: { label: 'On the chain', value: token_status, shown: wordsFor(ON_CHAIN, token_status) },
        attribute: { label: 'Attribute', value: attribute },
      }}
      fields={
        <>
          <Field label="Title">
            <Input name="search" type="search" defaultValue={search ?? ''} />
          </Field>
          <Choice label="Collection" name="collection_id" value={collection_id} options={named} any="All" />
          <Choice label="Locked" name="locked" value={locked} options={LOCKED} />
          <Choice label="On the chain" name="token_status" value={token_status} options={ON_CHAIN} />
          <Field label="Attribute">
            <Input name="attribute" defaultValue={attribute[0] ?? ''} placeholder="colour:violet" />
          </Field>
        </>
      }
      empty={{
        title: 'No items yet',
        action: make,
        children:
          'Give an item a title and, optionally, a picture and attributes. You can change it until you lock it. To add many items at once, import a CSV file.',
      }}
    >
      {choosable ? (
        <BulkList
          rows={rows}
          noun={['item', 'items']}
          actions={
            <>
              {mayWrite && (
                <BulkButton
                  verb="lock"
                  label="Lock"
                  icon={<Lock aria-hidden="true" className="size-4" />}
                  action={lockManyAction}
                  title="Lock #?"
                  description="Locking gives an item its token id and fixes how many units there can be. It can’t be undone, and a locked item can’t be deleted."
                  confirm="Lock them"
                  done="Locked: #."
                  otherwise="Locked items stay as they are."
                >
                  {editions && (
                    <Field
                      label="Units of each"
                      hint="For collections with several units of each item. Leave empty for no limit."
                    >
                      <Input name="max_supply" inputMode="numeric" autoComplete="off" />
                    </Field>
                  )}
                </BulkButton>
              )}
              {maySend && (
                <BulkLink
                  verb="send"
                  label="Send by email"
                  icon={<Mail aria-hidden="true" className="size-4" />}
                  href="/dashboard/claims/new"
                  name="item_id"
                  otherwise="Only locked items of deployed collections that have units left can be sent."
                />
              )}
              {mayMint && (
                <BulkLink
                  verb="mint"
                  label="Mint"
                  icon={<Stamp aria-hidden="true" className="size-4" />}
                  href="/dashboard/mint-requests/new"
                  name="item_id"
                  otherwise="Only locked items of deployed collections that have units left can be minted."
                />
              )}
              {mayWrite && (
                <BulkDelete
                  verb="delete"
                  label="Delete"
                  icon={<Trash2 aria-hidden="true" className="size-4" />}
                  action={deleteManyAction}
                  endpoint="/v1/items"
                  otherwise="Locked items can’t be deleted."
                />
              )}
            </>
          }
        >
          {table}
        </BulkList>
      ) : (
        table
      )}
    </ListPage>
  )
}
