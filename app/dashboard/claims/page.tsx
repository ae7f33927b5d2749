import { getTranslations } from 'next-intl/server'
import { FileUp, Mail, Send, Undo2 } from 'lucide-react'
import { titled } from '@/app/language/titled'
import { BulkButton } from '@/components/dashboard/lists/bulk-actions'
import { BulkTable } from '@/components/dashboard/lists/bulk-table'
import { ClaimBadge } from '@/components/dashboard/claims/claim-badge'
import { DownloadLink } from '@/components/dashboard/forms/download-link'
import { type Filter, valuesOf } from '@/components/dashboard/lists/filter-form'
import { hrefOf } from '@/components/dashboard/lists/href'
import { ListPage } from '@/components/dashboard/lists/list-page'
import { pictureOf, RowPicture } from '@/components/dashboard/lists/row-picture'
import { LinkButton } from '@/components/ui/link-button'
import { titleOf } from '@/components/ui/item-title'
import { TextLink } from '@/components/ui/text-link'
import { RelativeTime } from '@/components/ui/relative-time'
import { shownEmail } from '@/lib/core/shown-email'
import * as api from '@/lib/platform/api/email-claims'
import { may } from '@/lib/platform/auth/context'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { listClaims } from '@/lib/giving/list-claims'
import { getCollection } from '@/lib/catalog/collections/get-collection'
import { readSortedQuery } from '@/lib/platform/http/page-query'
import { findItems } from '@/lib/catalog/items/find-items'
import { resendManyAction, revokeManyAction } from './actions'

export const generateMetadata = titled('dashboard.claims', 'title')

const path = '/dashboard/claims'
const SORTS = ['oldest', 'state'] as const
const STATES = ['ACTIVE', 'CLAIMED', 'EXPIRED', 'LOCKED', 'REVOKED'] as const

export default async function ClaimsPage({ searchParams }: PageProps<'/dashboard/claims'>) {
  const [ctx, t] = await Promise.all([dashboardContext(), getTranslations('dashboard.claims')])
  const query = readSortedQuery(api.listEmailClaims.query, SORTS, await searchParams)
  const claims = await listClaims(ctx, { ...query, limit: Math.min(query.limit, 25) })
  const { item_id, collection_id } = query
  const [items, collection] = await Promise.all([
    findItems(ctx, [...claims.results.map((claim) => claim.item_id), ...(item_id ? [item_id] : [])]),
    collection_id ? getCollection(ctx, collection_id).catch(() => null) : null,
  ])
  const titleFor = (id: string) => {
    const item = items.get(id)
    return item ? titleOf(item) : t('list.show')
  }
  const states = STATES.map((each) => [each, t(`list.states.${each}`)] as const)
  const mayWrite = may(ctx, 'email_claims:write')
  const send = mayWrite && (
    <LinkButton href={`${path}/new`} variant="primary" icon={<Mail aria-hidden="true" className="size-4" />}>
      {t('list.send')}
    </LinkButton>
  )
  const filters: Filter<keyof typeof query>[] = [
    { name: 'state', label: t('list.state'), options: states },
    { name: 'search', label: t('list.email'), input: { autoCapitalize: 'none', spellCheck: false } },
    { name: 'email', label: t('list.to') },
    { name: 'item_id', label: t('list.item'), shown: item_id && titleFor(item_id) },
    { name: 'collection_id', label: t('list.collection'), shown: collection?.name },
    { name: 'campaign_id', label: t('list.campaign') },
  ]
  const otherwise = t('many.otherwise')
  return (
    <ListPage
      path={path}
      title={t('title')}
      description={t('list.description')}
      noun={[t('noun.one'), t('noun.other')]}
      page={claims}
      query={query}
      actions={
        <>
          {mayWrite && may(ctx, 'imports:write') && (
            <LinkButton
              href={hrefOf('/dashboard/imports/new', { kind: 'EMAIL_CLAIMS', collection_id })}
              icon={<FileUp aria-hidden="true" className="size-4" />}
            >
              {t('list.import')}
            </LinkButton>
          )}
          {claims.total_results > 0 && (
            <DownloadLink href={hrefOf('/v1/exports/claims.csv', valuesOf(filters, query))}>
              {t('list.export')}
            </DownloadLink>
          )}
          {send}
        </>
      }
      filters={filters}
      sorts={SORTS}
      empty={{
        title: t('list.emptyTitle'),
        action: send,
        children: t('list.empty'),
      }}
    >
      <BulkTable
        caption={t('title')}
        rows={claims.results}
        noun={[t('noun.one'), t('noun.other')]}
        choose={t('list.choose')}
        choiceOf={(claim) => ({
          name: claim.email,
          label: `${shownEmail(claim.email)}, ${titleFor(claim.item_id)}`,
          can: claim.active || claim.inactive_reason === 'LOCKED' ? ['resend', 'revoke'] : [],
        })}
        actions={
          mayWrite && (
            <>
              <BulkButton
                verb="resend"
                label={t('many.resend')}
                icon={<Send aria-hidden="true" className="size-4" />}
                action={resendManyAction}
                title={t('many.resendTitle')}
                description={t('many.resendText')}
                confirm={t('many.resendConfirm')}
                done={t('many.resent')}
                otherwise={otherwise}
              />
              <BulkButton
                verb="revoke"
                label={t('many.revoke')}
                icon={<Undo2 aria-hidden="true" className="size-4" />}
                action={revokeManyAction}
                title={t('many.revokeTitle')}
                description={t('many.revokeText')}
                confirm={t('many.revokeConfirm')}
                tone="danger"
                type={t('many.revokeWord')}
                done={t('many.revoked')}
                otherwise={otherwise}
              />
            </>
          )
        }
        columns={[
          {
            label: t('list.to'),
            cell: (claim) => (
              <TextLink href={`${path}/${claim.id}`} className="break-all">
                {shownEmail(claim.email)}
              </TextLink>
            ),
          },
          {
            label: t('list.item'),
            cell: (claim) => (
              <span className="flex items-center gap-3">
                <RowPicture item={items.get(claim.item_id) ?? pictureOf(titleFor(claim.item_id), null)} />
                <span className="wrap-anywhere">
                  <TextLink href={`/dashboard/items/${claim.item_id}`}>{titleFor(claim.item_id)}</TextLink>
                  {claim.quantity > 1n && <span>{` × ${claim.quantity}`}</span>}
                </span>
              </span>
            ),
          },
          { label: t('list.state'), cell: (claim) => <ClaimBadge claim={claim} /> },
          { label: t('list.sent'), cell: (claim) => <RelativeTime at={claim.created_at} /> },
          {
            label: t('list.expires'),
            cell: (claim) =>
              !claim.active ? '–' : claim.expiration ? <RelativeTime at={claim.expiration} /> : t('list.never'),
          },
        ]}
      />
    </ListPage>
  )
}
