import { getTranslations } from 'next-intl/server'
import { FileUp, Mail, Send, Undo2 } from 'lucide-react'
import { titled } from '@/app/language/titled'
import { BulkButton } from '@/components/dashboard/lists/bulk-actions'
import { BulkAll, BulkCheck, BulkList, BulkTr } from '@/components/dashboard/lists/bulk-list'
import { Choice, wordsFor } from '@/components/dashboard/forms/choice'
import { ClaimBadge } from '@/components/dashboard/claims/claim-badge'
import { DownloadLink } from '@/components/dashboard/forms/download-link'
import { hrefOf } from '@/components/dashboard/lists/href'
import { ListPage } from '@/components/dashboard/lists/list-page'
import { SortChoice } from '@/components/dashboard/lists/sort-choice'
import { pictureOf, RowPicture } from '@/components/dashboard/lists/row-picture'
import { LinkButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { titleOf } from '@/components/ui/picture'
import { Table, Tbody, Td, Th, Thead } from '@/components/ui/table'
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
  const [ctx, t, tSort] = await Promise.all([
    dashboardContext(),
    getTranslations('dashboard.claims'),
    getTranslations('dashboard.common.sort'),
  ])
  const query = readSortedQuery(api.listEmailClaims.query, SORTS, await searchParams)
  const claims = await listClaims(ctx, { ...query, limit: Math.min(query.limit, 25) })
  const { state, email, search, item_id, collection_id, campaign_id } = query
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
  const rows = claims.results.map(({ id, email: to, active, inactive_reason: reason }) => ({
    id,
    name: to,
    can: active || reason === 'LOCKED' ? ['resend', 'revoke'] : [],
  }))
  const choosable = mayWrite && rows.some(({ can }) => can.length > 0)
  const send = mayWrite && (
    <LinkButton href={`${path}/new`} variant="primary" icon={<Mail aria-hidden="true" className="size-4" />}>
      {t('list.send')}
    </LinkButton>
  )
  const otherwise = t('many.otherwise')
  const table = (
    <Card flush>
      <Table caption={t('title')}>
        <Thead>
          {choosable && (
            <Th>
              <BulkAll />
            </Th>
          )}
          <Th>{t('list.to')}</Th>
          <Th>{t('list.item')}</Th>
          <Th>{t('list.state')}</Th>
          <Th>{t('list.sent')}</Th>
          <Th>{t('list.expires')}</Th>
        </Thead>
        <Tbody>
          {claims.results.map((claim) => (
            <BulkTr key={claim.id} id={claim.id}>
              {choosable && (
                <Td label={t('list.choose')}>
                  <BulkCheck id={claim.id} name={`${shownEmail(claim.email)}, ${titleFor(claim.item_id)}`} />
                </Td>
              )}
              <Td rowHeader>
                <TextLink href={`${path}/${claim.id}`} className="break-all">
                  {shownEmail(claim.email)}
                </TextLink>
              </Td>
              <Td label={t('list.item')}>
                <span className="flex items-center gap-3">
                  <RowPicture item={items.get(claim.item_id) ?? pictureOf(titleFor(claim.item_id), null)} />
                  <span className="wrap-anywhere">
                    <TextLink href={`/dashboard/items/${claim.item_id}`}>{titleFor(claim.item_id)}</TextLink>
                    {claim.quantity > 1n && <span>{` × ${claim.quantity}`}</span>}
                  </span>
                </span>
              </Td>
              <Td label={t('list.state')}>
                <ClaimBadge claim={claim} />
              </Td>
              <Td label={t('list.sent')}>
                <RelativeTime at={claim.created_at} />
              </Td>
              <Td label={t('list.expires')}>
                {!claim.active ? '–' : claim.expiration ? <RelativeTime at={claim.expiration} /> : t('list.never')}
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
      description={t('list.description')}
      noun={[t('noun.one'), t('noun.other')]}
      page={claims}
      cursor={query.cursor}
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
            <DownloadLink
              href={hrefOf('/v1/exports/claims.csv', { state, email, search, item_id, collection_id, campaign_id })}
            >
              {t('list.export')}
            </DownloadLink>
          )}
          {send}
        </>
      }
      filters={{
        state: { label: t('list.state'), value: state, shown: wordsFor(states, state) },
        search: { label: t('list.email'), value: search },
        email: { label: t('list.to'), value: email },
        item_id: { label: t('list.item'), value: item_id, shown: item_id && titleFor(item_id) },
        collection_id: { label: t('list.collection'), value: collection_id, shown: collection?.name },
        campaign_id: { label: t('list.campaign'), value: campaign_id },
        sort: { label: tSort('by'), value: query.sort, shown: query.sort && tSort(query.sort) },
      }}
      fields={
        <>
          <Choice label={t('list.state')} name="state" value={state} options={states} />
          <Field label={t('list.email')}>
            <Input name="search" type="search" autoCapitalize="none" spellCheck={false} defaultValue={search ?? ''} />
          </Field>
          {email && <input type="hidden" name="email" value={email} />}
          {item_id && <input type="hidden" name="item_id" value={item_id} />}
          {collection_id && <input type="hidden" name="collection_id" value={collection_id} />}
          {campaign_id && <input type="hidden" name="campaign_id" value={campaign_id} />}
          <SortChoice value={query.sort} sorts={SORTS} />
        </>
      }
      empty={{
        title: t('list.emptyTitle'),
        action: send,
        children: t('list.empty'),
      }}
    >
      {choosable ? (
        <BulkList
          rows={rows}
          noun={[t('noun.one'), t('noun.other')]}
          actions={
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
