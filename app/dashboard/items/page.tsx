import { getFormatter, getTranslations } from 'next-intl/server'
import { FileUp, Lock, Mail, Plus, Stamp, Trash2 } from 'lucide-react'
import { titled } from '@/app/language/titled'
import { BulkButton, BulkDelete, BulkLink } from '@/components/dashboard/lists/bulk-actions'
import { BulkTable } from '@/components/dashboard/lists/bulk-table'
import { DownloadLink } from '@/components/dashboard/forms/download-link'
import { type Filter, valuesOf } from '@/components/dashboard/lists/filter-form'
import { hrefOf } from '@/components/dashboard/lists/href'
import { stockOf } from '@/components/dashboard/items/item-stock'
import { ListPage } from '@/components/dashboard/lists/list-page'
import { RowPicture } from '@/components/dashboard/lists/row-picture'
import { TokenBadge } from '@/components/dashboard/items/token-badge'
import { LinkButton } from '@/components/ui/link-button'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { titleOf } from '@/components/ui/item-title'
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
  const [ctx, t, format] = await Promise.all([dashboardContext(), getTranslations('dashboard.items'), getFormatter()])
  const query = readSortedQuery(api.listItems.query, SORTS, await searchParams)
  const [items, collections] = await Promise.all([
    listItems(ctx, { ...query, limit: Math.min(query.limit, 50) }),
    listCollectionChoices(ctx),
  ])
  const { collection_id } = query
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
  const actionsFor = (item: (typeof items.results)[number]) => {
    if (!item.locked) return ['lock', 'delete']
    const deployed = collectionOf.get(item.collection_id)?.deployment?.status === 'SUCCESS'
    const left = givableUnits(stockOf(item))
    return deployed && (left === null || left > 0n) ? ['send', 'mint'] : []
  }
  const editions = items.results.some(
    (item) => !item.locked && collectionOf.get(item.collection_id)?.token_type !== 'ERC721',
  )
  const filters: Filter<keyof typeof query>[] = [
    { name: 'search', label: t('filters.title'), input: {} },
    { name: 'collection_id', label: t('columns.collection'), options: named, any: t('all') },
    { name: 'locked', label: t('filters.locked'), options: lockedChoices },
    { name: 'token_status', label: t('filters.onChain'), options: chainChoices },
    {
      name: 'attribute',
      label: t('filters.attribute'),
      input: { type: 'text', placeholder: t('filters.attributeExample') },
    },
  ]
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
  return (
    <ListPage
      path={path}
      title={t('title')}
      description={t('lead')}
      noun={noun}
      page={items}
      query={query}
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
            <DownloadLink href={hrefOf('/v1/exports/items.csv', valuesOf(filters, query))}>{t('export')}</DownloadLink>
          )}
          {make}
        </>
      }
      filters={filters}
      sorts={SORTS}
      empty={{
        title: t('empty.title'),
        action: make,
        children: t('empty.text'),
      }}
    >
      <BulkTable
        caption={t('title')}
        rows={items.results}
        noun={noun}
        choose={t('columns.choose')}
        choiceOf={(item) => ({ name: titleOf(item), can: actionsFor(item) })}
        actions={
          (mayWrite || maySend || mayMint) && (
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
          )
        }
        columns={[
          {
            label: t('columns.item'),
            cell: (item) => (
              <span className="flex items-center gap-3">
                <RowPicture item={item} />
                <TextLink href={`${path}/${item.id}`} className="wrap-anywhere sm:line-clamp-2">
                  {titleOf(item)}
                </TextLink>
              </span>
            ),
          },
          {
            label: t('columns.collection'),
            cell: (item) => (
              <TextLink href={`/dashboard/collections/${item.collection_id}`}>
                {collectionOf.get(item.collection_id)?.name ?? t('show')}
              </TextLink>
            ),
          },
          { label: t('columns.state'), cell: (item) => <TokenBadge item={item} /> },
          { label: t('columns.tokenId'), cell: (item) => <span className="figures">{item.token_id ?? '–'}</span> },
          {
            label: t('columns.units'),
            cell: (item) =>
              item.locked
                ? t('given', {
                    given: format.number(committedUnits(stockOf(item))),
                    all: item.max_supply === null ? '∞' : format.number(item.max_supply),
                  })
                : '–',
          },
          { label: t('columns.created'), cell: (item) => <RelativeTime at={item.created_at} /> },
        ]}
      />
    </ListPage>
  )
}
