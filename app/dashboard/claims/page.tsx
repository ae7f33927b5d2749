import type { Metadata } from 'next'
import { FileUp, Mail, Send, Undo2 } from 'lucide-react'
import { BulkButton } from '@/components/dashboard/lists/bulk-actions'
import { BulkAll, BulkCheck, BulkList, BulkTr } from '@/components/dashboard/lists/bulk-list'
import { Choice, wordsFor } from '@/components/dashboard/forms/choice'
import { ClaimBadge } from '@/components/dashboard/claims/claim-badge'
import { DownloadLink } from '@/components/dashboard/forms/download-link'
import { hrefOf } from '@/components/dashboard/lists/href'
import { ListPage } from '@/components/dashboard/lists/list-page'
import { pictureOf, RowPicture } from '@/components/dashboard/lists/row-picture'
import { LinkButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { titleOf } from '@/components/ui/picture'
import { Table, Tbody, Td, Th, Thead } from '@/components/ui/table'
import { TextLink } from '@/components/ui/text-link'
import { RelativeTime } from '@/components/ui/relative-time'
import * as api from '@/lib/platform/api/email-claims'
import { may } from '@/lib/platform/auth/context'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { listClaims } from '@/lib/giving/list-claims'
import { getCollection } from '@/lib/catalog/collections/get-collection'
import { readQuery } from '@/lib/platform/http/page-query'
import { findItems } from '@/lib/catalog/items/find-items'
import { resendManyAction, revokeManyAction } from './actions'

export const metadata: Metadata = { title: 'Email claims' }

const path = '/dashboard/claims'
const STATES = [
  ['ACTIVE', 'Waiting for the recipient'],
  ['CLAIMED', 'Claimed'],
  ['EXPIRED', 'Expired'],
  ['LOCKED', 'Locked'],
  ['REVOKED', 'Revoked'],
] as const

export default async function ClaimsPage({ searchParams }: PageProps<'/dashboard/claims'>) {
  const ctx = await dashboardContext()
  const query = readQuery(api.listEmailClaims.query, await searchParams)
  const claims = await listClaims(ctx, { ...query, limit: Math.min(query.limit, 25) })
  const { state, email, item_id, collection_id, campaign_id } = query
  const [items, collection] = await Promise.all([
    findItems(ctx, [...claims.results.map((claim) => claim.item_id), ...(item_id ? [item_id] : [])]),
    collection_id ? getCollection(ctx, collection_id).catch(() => null) : null,
  ])
  const titleFor = (id: string) => {
    const item = items.get(id)
    return item ? titleOf(item) : 'Show'
  }
  const mayWrite = may(ctx, 'email_claims:write')
  const rows = claims.results.map(({ id, email: to, active, inactive_reason: reason }) => ({
    id,
    name: to,
    can: active || reason === 'LOCKED' ? ['resend', 'revoke'] : [],
  }))
  const choosable = mayWrite && rows.some(({ can }) => can.length > 0)
  const send = mayWrite && (
    <LinkButton href={`${path}/new`} variant="primary" icon={<Mail aria-hidden="true" className="size-4" />}>
      Send an item
    </LinkButton>
  )
  const otherwise = 'Claims that were claimed, expired or revoked can’t be changed.'
  const table = (
    <Card flush>
      <Table caption="Email claims">
        <Thead>
          {choosable && (
            <Th>
              <BulkAll />
            </Th>
          )}
          <Th>To</Th>
          <Th>Item</Th>
          <Th>State</Th>
          <Th>Sent</Th>
          <Th>Expires</Th>
        </Thead>
        <Tbody>
          {claims.results.map((claim) => (
            <BulkTr key={claim.id} id={claim.id}>
              {choosable && (
                <Td label="Choose">
                  <BulkCheck id={claim.id} name={`${claim.email}, ${titleFor(claim.item_id)}`} />
                </Td>
              )}
              <Td rowHeader>
                <TextLink href={`${path}/${claim.id}`} className="break-all">
                  {claim.email}
                </TextLink>
              </Td>
              <Td label="Item">
                <span className="flex items-center gap-3">
                  <RowPicture item={items.get(claim.item_id) ?? pictureOf(titleFor(claim.item_id), null)} />
                  <span className="wrap-anywhere">
                    <TextLink href={`/dashboard/items/${claim.item_id}`}>{titleFor(claim.item_id)}</TextLink>
                    {claim.quantity > 1n && ` × ${claim.quantity}`}
                  </span>
                </span>
              </Td>
              <Td label="State">
                <ClaimBadge claim={claim} />
              </Td>
              <Td label="Sent">
                <RelativeTime at={claim.created_at} />
              </Td>
              <Td label="Expires">
                {!claim.active ? '–' : claim.expiration ? <RelativeTime at={claim.expiration} /> : 'Never'}
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
      title="Email claims"
      description="Items sent to people by email. Recipients don’t need a wallet: they can create one when they claim."
      noun={['claim', 'claims']}
      page={claims}
      cursor={query.cursor}
      actions={
        <>
          {mayWrite && may(ctx, 'imports:write') && (
            <LinkButton
              href={hrefOf('/dashboard/imports/new', { kind: 'EMAIL_CLAIMS', collection_id })}
              icon={<FileUp aria-hidden="true" className="size-4" />}
            >
              Import
            </LinkButton>
          )}
          {claims.total_results > 0 && (
            <DownloadLink
              href={hrefOf('/v1/exports/claims.csv', { state, email, item_id, collection_id, campaign_id })}
            >
              Export
            </DownloadLink>
          )}
          {send}
        </>
      }
      filters={{
        state: { label: 'State', value: state, shown: wordsFor(STATES, state) },
        email: { label: 'Email', value: email },
        item_id: { label: 'Item', value: item_id, shown: item_id && titleFor(item_id) },
        collection_id: { label: 'Collection', value: collection_id, shown: collection?.name },
        campaign_id: { label: 'Campaign', value: campaign_id },
      }}
      fields={
        <>
          <Choice label="State" name="state" value={state} options={STATES} />
          <Field label="Email">
            <Input name="email" type="email" defaultValue={email ?? ''} />
          </Field>
          {item_id && <input type="hidden" name="item_id" value={item_id} />}
          {collection_id && <input type="hidden" name="collection_id" value={collection_id} />}
          {campaign_id && <input type="hidden" name="campaign_id" value={campaign_id} />}
        </>
      }
      empty={{
        title: 'Nothing sent yet',
        action: send,
        children:
          'Choose a locked item and enter an email address. The recipient opens the link, confirms the email with a PIN and chooses a wallet. You can follow each step here.',
      }}
    >
      {choosable ? (
        <BulkList
          rows={rows}
          noun={['claim', 'claims']}
          actions={
            <>
              <BulkButton
                verb="resend"
                label="Send again"
                icon={<Send aria-hidden="true" className="size-4" />}
                action={resendManyAction}
                title="Send # again?"
                description="Each recipient gets the same link in a new mail. One that was locked after too many wrong PINs opens again."
                confirm="Send them again"
                done="Sent again: #."
                otherwise={otherwise}
              />
              <BulkButton
                verb="revoke"
                label="Revoke"
                icon={<Undo2 aria-hidden="true" className="size-4" />}
                action={revokeManyAction}
                title="Revoke #?"
                description="Their links stop working and their units become available again. Paid claims are refunded. This can’t be undone."
                confirm="Revoke them"
                tone="danger"
                type="revoke"
                done="Revoked: #."
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
