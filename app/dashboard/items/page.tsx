import { getFormatter, getTranslations } from 'next-intl/server'
import { FileUp, Lock, Mail, Plus, Stamp, Trash2 } from 'lucide-react'
import { titled } from '@/app/language/titled'
import { BulkButton, BulkDelete, BulkLink } from '@/components/dashboard/lists/bulk-actions'
import { BulkAll, BulkCheck, BulkList, BulkTr } from '@/components/dashboard/lists/bulk-list'
import { Choice, wordsFor } from '@/components/dashboard/forms/choice'
import { DownloadLink } from '@/components/dashboard/forms/download-link'
import { hrefOf } from '@/components/dashboard/lists/href'
import { stockOf } from '@/components/dashboard/items/item-stock'
import { ListPage } from '@/components/dashboard/lists/list-page'
import { SortChoice } from '@/components/dashboard/lists/sort-choice'
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
import { readSortedQuery } from '@/lib/platform/http/page-query'
import { listItems } from '@/lib/catalog/items/list-items'
import { deleteManyAction, lockManyAction } from './actions'

export const generateMetadata = titled('dashboard.items', 'title')

const path = '/dashboard/items'
const SORTS = ['oldest', 'name', 'nameDown', 'state'] as const
const ON_CHAIN = ['NOT_MINTED', 'MINTING', 'MINTED', 'BURNED'] as const

export default async function ItemsPage({ searchParams }: PageProps<'/dashboard/items'>) {
  const [ctx, t, tSort, format] = await Promise.all([
    dashboardContext(),
    getTranslations('dashboard.items'),
    getTranslations('dashboard.common.sort'),
    getFormatter(),
  ])
  const query = readSortedQuery(api.listItems.query, SORTS, await searchParams)
  const [items, collections] = await Promise.all([
    listItems(ctx, { ...query, limit: Math.min(query.limit, 50) }),
    listCollectionChoices(ctx),
  ])
  const { search, collection_id, locked, token_status, attribute } = query
  const collectionOf = new Map(collections.map((collection) => [collection.id, collection]))
  const lockedChoices = [
    ['true', t('states.locked')],
    ['false', t('states.notLocked')],
  ] as const
  const chainChoices = ON_CHAIN.map((state) => [state, t(`states.${state}`)] as const)
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
  const noun = [t('noun.one'), t('noun.other')] as const
  const make =
    mayWrite &&
    (collections.length > 0 ? (
      <LinkButton
        href={hrefOf(`${path}/new`, { collection_id })}
        variant="primary"
        icon={<Plus aria-hidden="true" className="size-4" />}
      >
        {t('new')}
      </LinkButton>
    ) : (
      <LinkButton href="/dashboard/collections/new" variant="primary">
        {t('collectionFirst')}
      </LinkButton>
    ))
  const table = (
    <Card flush>
      <Table caption={t('title')}>
        <Thead>
          {choosable && (
            <Th>
              <BulkAll />
            </Th>
          )}
          <Th>{t('columns.item')}</Th>
          <Th>{t('columns.collection')}</Th>
          <Th>{t('columns.state')}</Th>
          <Th>{t('columns.tokenId')}</Th>
          <Th>{t('columns.units')}</Th>
          <Th>{t('columns.created')}</Th>
        </Thead>
        <Tbody>
          {items.results.map((item) => (
            <BulkTr key={item.id} id={item.id}>
              {choosable && (
                <Td label={t('columns.choose')}>
                  <BulkCheck id={item.id} name={titleOf(item)} />
                </Td>
              )}
              <Td rowHeader>
                <span className="flex items-center gap-3">
                  <RowPicture item={item} />
                  <TextLink href={`${path}/${item.id}`} className="wrap-anywhere sm:line-clamp-2">
                    {titleOf(item)}
                  </TextLink>
                </span>
              </Td>
              <Td label={t('columns.collection')}>
                <TextLink href={`/dashboard/collections/${item.collection_id}`}>
                  {collectionOf.get(item.collection_id)?.name ?? t('show')}
                </TextLink>
              </Td>
              <Td label={t('columns.state')}>
                <TokenBadge item={item} />
              </Td>
              <Td label={t('columns.tokenId')}>
                <span className="figures">{item.token_id ?? '–'}</span>
              </Td>
              <Td label={t('columns.units')}>
                {item.locked
                  ? t('given', {
                      given: format.number(committedUnits(stockOf(item))),
                      all: item.max_supply === null ? '∞' : format.number(item.max_supply),
                    })
                  : '–'}
              </Td>
              <Td label={t('columns.created')}>
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
      title={t('title')}
      description={t('lead')}
      noun={noun}
      page={items}
      cursor={query.cursor}
      actions={
        <>
          {mayWrite && may(ctx, 'imports:write') && collections.length > 0 && (
            <LinkButton
              href={hrefOf('/dashboard/imports/new', { kind: 'ITEMS', collection_id })}
              icon={<FileUp aria-hidden="true" className="size-4" />}
            >
              {t('import')}
            </LinkButton>
          )}
          {items.total_results > 0 && (
            <DownloadLink
              href={hrefOf('/v1/exports/items.csv', { search, collection_id, locked, token_status, attribute })}
            >
              {t('export')}
            </DownloadLink>
          )}
          {make}
        </>
      }
      filters={{
        search: { label: t('filters.title'), value: search },
        collection_id: { label: t('columns.collection'), value: collection_id, shown: wordsFor(named, collection_id) },
        locked: { label: t('filters.locked'), value: locked, shown: wordsFor(lockedChoices, locked) },
        token_status: { label: t('filters.onChain'), value: token_status, shown: wordsFor(chainChoices, token_status) },
        attribute: { label: t('filters.attribute'), value: attribute },
        sort: { label: tSort('by'), value: query.sort, shown: query.sort && tSort(query.sort) },
      }}
      fields={
        <>
          <Field label={t('filters.title')}>
            <Input name="search" type="search" defaultValue={search ?? ''} />
          </Field>
          <Choice
            label={t('columns.collection')}
            name="collection_id"
            value={collection_id}
            options={named}
            any={t('all')}
          />
          <Choice label={t('filters.locked')} name="locked" value={locked} options={lockedChoices} />
          <Choice label={t('filters.onChain')} name="token_status" value={token_status} options={chainChoices} />
          <Field label={t('filters.attribute')}>
            <Input name="attribute" defaultValue={attribute[0] ?? ''} placeholder={t('filters.attributeExample')} />
          </Field>
          <SortChoice value={query.sort} sorts={SORTS} />
        </>
      }
      empty={{
        title: t('empty.title'),
        action: make,
        children: t('empty.text'),
      }}
    >
      {choosable ? (
        <BulkList
          rows={rows}
          noun={noun}
          actions={
            <>
              {mayWrite && (
                <BulkButton
                  verb="lock"
                  label={t('lock.action')}
                  icon={<Lock aria-hidden="true" className="size-4" />}
                  action={lockManyAction}
                  title={t('lock.many')}
                  description={t('lock.manyText')}
                  confirm={t('lock.manyYes')}
                  done={t('lock.manyDone')}
                  otherwise={t('lock.otherwise')}
                >
                  {editions && (
                    <Field label={t('lock.unitsOfEach')} hint={t('lock.unitsOfEachHint')}>
                      <Input name="max_supply" inputMode="numeric" autoComplete="off" />
                    </Field>
                  )}
                </BulkButton>
              )}
              {maySend && (
                <BulkLink
                  verb="send"
                  label={t('send')}
                  icon={<Mail aria-hidden="true" className="size-4" />}
                  href="/dashboard/claims/new"
                  name="item_id"
                  otherwise={t('sendOnly')}
                />
              )}
              {mayMint && (
                <BulkLink
                  verb="mint"
                  label={t('mint')}
                  icon={<Stamp aria-hidden="true" className="size-4" />}
                  href="/dashboard/mint-requests/new"
                  name="item_id"
                  otherwise={t('mintOnly')}
                />
              )}
              {mayWrite && (
                <BulkDelete
                  verb="delete"
                  label={t('delete.action')}
                  icon={<Trash2 aria-hidden="true" className="size-4" />}
                  action={deleteManyAction}
                  endpoint="/v1/items"
                  otherwise={t('delete.otherwise')}
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
