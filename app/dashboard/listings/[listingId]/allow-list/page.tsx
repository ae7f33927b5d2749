import { getTranslations } from 'next-intl/server'
import { titled } from '@/app/language/titled'
import { ActionForm, Submit } from '@/components/dashboard/forms/action-form'
import { AllowListField } from '@/components/dashboard/listings/allow-list-field'
import { ChainLink } from '@/components/ui/chain-link'
import { FilterForm } from '@/components/dashboard/lists/filter-form'
import { hrefOf } from '@/components/dashboard/lists/href'
import { LinkButton } from '@/components/ui/link-button'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { PageHeader } from '@/components/ui/page-header'
import { Pager } from '@/components/ui/pager'
import { DataTable } from '@/components/ui/data-table'
import { RelativeTime } from '@/components/ui/relative-time'
import { shownEmail } from '@/lib/core/shown-email'
import * as api from '@/lib/platform/api/allow-lists'
import { may } from '@/lib/platform/auth/context'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { orNotFound } from '@/lib/platform/http/or-not-found'
import { readQuery } from '@/lib/platform/http/page-query'
import { getListing } from '@/lib/offers/listings/get-listing'
import { listAllowances } from '@/lib/offers/listings/list-allowances'
import { changeAllowListAction, undoAllowListAction } from '../../actions'
import { subjectOf } from '../../listing-subject'

export const generateMetadata = titled('dashboard.listings', 'allowList.title')

export default async function AllowListPage({
  params,
  searchParams,
}: PageProps<'/dashboard/listings/[listingId]/allow-list'>) {
  const t = await getTranslations('dashboard.listings')
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
      <PageHeader back={{ href: here, label: title }} title={t('allowList.title')} description={t('allowList.lead')} />
      {mayWrite && (
        <Card title={t('allowList.change')}>
          <ActionForm
            action={changeAllowListAction.bind(null, listing.id)}
            undo={undoAllowListAction.bind(null, listing.id)}
          >
            <AllowListField addresses="eth_addresses" emails="email_addresses" />
            <div className="flex flex-wrap gap-2">
              <Submit name="action" value="ADD">
                {t('allowList.add')}
              </Submit>
              <Submit variant="danger" name="action" value="REMOVE">
                {t('allowList.remove')}
              </Submit>
            </div>
          </ActionForm>
        </Card>
      )}
      {(search || allowed.total_results > 0) && (
        <FilterForm path={path} query={query} filters={[{ name: 'search', label: t('allowList.search'), input: {} }]} />
      )}
      {allowed.results.length === 0 ? (
        <Card>
          {search ? (
            <EmptyState
              title={t('allowList.none')}
              action={<LinkButton href={path}>{t('allowList.showAll')}</LinkButton>}
            />
          ) : (
            <EmptyState title={t('allowList.empty')}>{t('allowList.emptyText')}</EmptyState>
          )}
        </Card>
      ) : (
        <Card flush>
          <DataTable
            caption={t('allowList.title')}
            rows={allowed.results.map((entry) => ({ ...entry, id: entry.eth_address ?? entry.email_address ?? '' }))}
            columns={[
              {
                label: t('allowList.who'),
                cell: ({ eth_address: address, email_address: email }) =>
                  address ? (
                    <ChainLink value={address} kind="address" explorerUrl={null} />
                  ) : (
                    <span className="break-all">{email && shownEmail(email)}</span>
                  ),
              },
              {
                label: t('allowList.kind'),
                cell: ({ eth_address: address }) => (address ? t('allowList.address') : t('allowList.email')),
              },
              { label: t('allowList.added'), cell: ({ created_at: at }) => <RelativeTime at={at} /> },
            ]}
          />
        </Card>
      )}
      <Pager
        first={query.cursor ? hrefOf(path, { search }) : null}
        next={allowed.cursor && hrefOf(path, { search, cursor: allowed.cursor })}
        total={allowed.total_results}
        isEstimate={allowed.total_is_estimate}
        noun={allowed.total_results === 1 ? t('allowList.entry') : t('allowList.entries')}
      />
    </>
  )
}
