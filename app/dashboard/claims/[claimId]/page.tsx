import type { Metadata } from 'next'
import { RotateCcw } from 'lucide-react'
import { ChainLink } from '@/components/ui/chain-link'
import { ClaimBadge, isMoving } from '@/components/dashboard/claims/claim-badge'
import { ConfirmAction } from '@/components/dashboard/forms/confirm-action'
import { Refresh } from '@/components/dashboard/shell/refresh'
import { type Step, Steps } from '@/components/dashboard/forms/steps'
import { Alert } from '@/components/ui/alert'
import { StateBadge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { CopyButton } from '@/components/ui/copy-button'
import { Fact, Facts } from '@/components/ui/facts'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { PageHeader } from '@/components/ui/page-header'
import { ItemPicture, titleOf } from '@/components/ui/picture'
import { Table, Tbody, Td, Th, Thead, Tr } from '@/components/ui/table'
import { TextLink } from '@/components/ui/text-link'
import { RelativeTime } from '@/components/ui/relative-time'
import { Time } from '@/components/ui/time'
import { may } from '@/lib/platform/auth/context'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { getClaim } from '@/lib/giving/get-claim'
import { getCollection } from '@/lib/catalog/collections/get-collection'
import { orNotFound } from '@/lib/platform/http/or-not-found'
import { getItem } from '@/lib/catalog/items/get-item'
import { networkFacts } from '@/lib/offers/networks/network-facts'
import { resendClaimAction, revokeClaimAction } from '../actions'

export const metadata: Metadata = { title: 'Email claim' }

type Claim = Awaited<ReturnType<typeof getClaim>>

const MAILS: Record<string, string> = {
  REDEEM_NFT: 'The link',
  CLAIM_PINCODE: 'A PIN',
  CLAIMED_NFT: 'It has arrived',
  CLAIM_REMINDER: 'A reminder',
}
const MAIL_STATES = {
  PENDING: <StateBadge state="PENDING" label="Going out" />,
  SENT: <StateBadge state="SUCCESS" label="Sent" />,
  FAILED: <StateBadge state="FAILED" label="Not delivered" />,
  DISCARDED: <StateBadge state="CANCELLED" label="Not sent" />,
} as const

/** The state of a mail: for a sent one, the last event that the mail provider reported. */
function MailState({ mail }: { mail: Claim['mails'][number] }) {
  if (mail.complained_at) return <StateBadge state="UNRESOLVED" label="Called spam" />
  if (mail.bounced_at) return <StateBadge state="FAILED" label="Bounced" />
  if (mail.delivered_at) return <StateBadge state="SUCCESS" label="Delivered" />
  return MAIL_STATES[mail.state]
}

const ENDED: Record<string, { title: string; text: string }> = {
  EXPIRED: {
    title: 'The link has expired.',
    text: 'Its units are available again. Send the item again to give the recipient another chance.',
  },
  LOCKED: {
    title: 'Too many wrong PINs.',
    text: 'The claim is locked to keep the item safe. Resend it to unlock it; the address can be corrected at the same time.',
  },
  NEW_LINK: {
    title: 'Too many wrong PINs: create a new link.',
    text: '50 wrong PINs were entered, so the link no longer works. Send the recipient a new link; the address can be corrected at the same time.',
  },
  DECLINED: {
    title: 'The recipient declined this gift.',
    text: 'The link no longer works, and the units are available again. You can send them to someone else.',
  },
  REVOKED: { title: 'This claim was revoked.', text: 'Its link no longer works, and its units are available again.' },
}

export default async function ClaimPage({ params }: PageProps<'/dashboard/claims/[claimId]'>) {
  const { claimId } = await params
  const ctx = await dashboardContext()
  const claim = await orNotFound(claimId, (id) => getClaim(ctx, id))
  const [item, collection] = await Promise.all([getItem(ctx, claim.item_id), getCollection(ctx, claim.collection_id)])
  const explorerUrl = networkFacts(ctx).find(({ id }) => id === collection.network_id)?.explorerUrl ?? null
  const title = titleOf(item)
  const renew = claim.inactive_reason === 'LOCKED' && claim.new_link_needed
  const isHolders = claim.transfer_id !== null
  const ended =
    claim.inactive_reason && ENDED[renew ? 'NEW_LINK' : claim.declined_at ? 'DECLINED' : claim.inactive_reason]
  const mayWrite = may(ctx, 'email_claims:write')
  const open = claim.active || claim.inactive_reason === 'LOCKED'
  const mailGoing = claim.mails.some(({ state }) => state === 'PENDING')
  return (
    <>
      {(isMoving(claim) || mailGoing) && <Refresh />}
      {!isMoving(claim) && !mailGoing && claim.active && <Refresh everySeconds={10} />}
      <PageHeader
        back={{ href: '/dashboard/claims', label: 'Email claims' }}
        title={<span className="break-all">{claim.email}</span>}
        badge={<ClaimBadge claim={claim} />}
        description={
          <>
            {claim.quantity > 1n && `${claim.quantity} units of `}“{title}”
          </>
        }
        actions={
          mayWrite &&
          open && (
            <>
              <ConfirmAction
                action={resendClaimAction.bind(null, claim.id)}
                trigger={
                  <Button icon={<RotateCcw aria-hidden="true" className="size-4" />}>
                    {renew ? 'Make a new link' : 'Resend'}
                  </Button>
                }
                title={renew ? 'Make a new link?' : 'Send the link again?'}
                description={
                  renew
                    ? 'It is emailed to this address. The old link stops working.'
                    : 'If the address stays the same, so does the link. A corrected address gets a new link, and the old one stops working.'
                }
                confirm="Send it"
                tone="primary"
              >
                {!isHolders && (
                  <Field label="Email">
                    <Input name="email" type="email" defaultValue={claim.email} autoComplete="off" />
                  </Field>
                )}
                {renew && <input type="hidden" name="new_link:flag" value="true" />}
              </ConfirmAction>
              {!isHolders && (
                <ConfirmAction
                  action={revokeClaimAction.bind(null, claim.id)}
                  trigger={<Button variant="danger">Revoke</Button>}
                  title="Revoke this claim?"
                  description="Its link stops working immediately and the units become available again. The recipient isn’t notified. This can’t be undone."
                  confirm="Revoke the claim"
                  type={claim.email}
                />
              )}
            </>
          )
        }
      />
      {ended && (!isHolders || claim.inactive_reason === 'LOCKED') && (
        <Alert tone={claim.inactive_reason === 'LOCKED' ? 'warning' : 'info'} title={ended.title}>
          {ended.text}
        </Alert>
      )}
      {isHolders && (
        <Alert tone="info" title="A holder sent this item.">
          Our operator keeps it for the recipient. It can’t be revoked or sent to another address: if nobody takes it,
          it goes back to the holder.
        </Alert>
      )}
      {claim.delivery.failure && (
        <Alert tone="danger" title="The last delivery did not arrive.">
          {claim.delivery.failure}{' '}
          {claim.active && 'The recipient can redeem again, with a new PIN and another address.'}
        </Alert>
      )}
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_18rem]">
        <div className="grid gap-6">
          <Card title={claim.active || isMoving(claim) ? 'On its way' : 'What happened'}>
            <Steps label="Progress" steps={stepsOf(claim)} />
          </Card>
          <Card title="Details">
            <Facts>
              {claim.active && claim.claim_url && (
                <Fact name="Claim link">
                  <CopyButton text={claim.claim_url} label="Copy the link" showLabel />
                </Fact>
              )}
              <Fact name="Who pays for the transaction">{claim.tx_payer === 'SELLER' ? 'You' : 'The recipient'}</Fact>
              <Fact name="Expires">{claim.expiration ? <Time at={claim.expiration} /> : 'Never'}</Fact>
              {claim.to_address && (
                <Fact name="Goes to">
                  <ChainLink value={claim.to_address} kind="address" explorerUrl={explorerUrl} />
                </Fact>
              )}
              {claim.tx_hash && (
                <Fact name="Transaction">
                  <ChainLink value={claim.tx_hash} kind="tx" explorerUrl={explorerUrl} />
                </Fact>
              )}
              <Fact name="Token id">
                <span className="figures">{claim.token_id ?? '–'}</span>
              </Fact>
            </Facts>
          </Card>
          <Card
            flush
            title="Mails"
            description="Newest first. A mail that the server refuses is tried again for three days."
          >
            {claim.mails.length === 0 ? (
              <p className="px-6 pb-6 text-sm text-muted">None yet.</p>
            ) : (
              <Table caption="Mails">
                <Thead>
                  <Th>Mail</Th>
                  <Th>To</Th>
                  <Th>State</Th>
                  <Th>Written</Th>
                </Thead>
                <Tbody>
                  {claim.mails.map((mail) => (
                    <Tr key={mail.id}>
                      <Td rowHeader>{MAILS[mail.template_type] ?? mail.template_type}</Td>
                      <Td label="To">
                        <span className="break-all">{mail.email}</span>
                      </Td>
                      <Td label="State">
                        <span className="grid justify-items-start gap-1">
                          <MailState mail={mail} />
                          {mail.failure && !(mail.state === 'SENT' && !mail.bounced_at) && (
                            <span className="text-sm text-muted">{mail.failure}</span>
                          )}
                        </span>
                      </Td>
                      <Td label="Written">
                        <RelativeTime at={mail.created_at} />
                      </Td>
                    </Tr>
                  ))}
                </Tbody>
              </Table>
            )}
          </Card>
        </div>
        <figure className="overflow-hidden rounded-lg border bg-pane shadow-lift max-lg:order-first max-lg:max-w-48">
          <ItemPicture item={item} size="thumb" className="w-full" />
          <figcaption className="grid gap-1 p-4 text-sm">
            <TextLink href={`/dashboard/items/${item.id}`} className="font-medium wrap-anywhere">
              {title}
            </TextLink>
            <span className="text-muted">{collection.name}</span>
          </figcaption>
        </figure>
      </div>
    </>
  )
}

function stepsOf(claim: Claim): Step[] {
  const { delivery, redeemed_at: redeemed, opened_at: opened, last_pin_code_email_sent_at: pin } = claim
  const link = claim.mails.find(({ template_type }) => template_type === 'REDEEM_NFT')
  const waits = claim.active
  const after = (happened: boolean, before: boolean): Step['state'] =>
    happened ? 'done' : before && waits ? 'now' : 'todo'
  const arrived = delivery.state === 'CONFIRMED'
  const mailed = link?.state === 'SENT' || opened !== null
  return [
    {
      name: 'Link sent',
      state: link?.state === 'FAILED' ? 'failed' : mailed ? 'done' : 'now',
      at: link?.sent_at ?? null,
      note: link?.state === 'FAILED' ? 'The mail could not be delivered. Check the address and resend it.' : null,
    },
    { name: 'Opened', state: after(opened !== null || pin !== null || redeemed !== null, mailed), at: opened },
    { name: 'PIN sent', state: after(pin !== null || redeemed !== null, opened !== null), at: pin },
    { name: 'Redeemed', state: after(redeemed !== null, pin !== null), at: redeemed },
    {
      name: 'Delivered',
      state: arrived
        ? 'done'
        : delivery.state === 'FAILED'
          ? 'failed'
          : redeemed && !claim.inactive_reason?.match(/EXPIRED|REVOKED/)
            ? 'now'
            : 'todo',
      at: claim.delivered_at,
      note:
        claim.tx_payer === 'BUYER' && redeemed && !arrived
          ? 'The recipient has a voucher and has not used it yet.'
          : null,
    },
  ]
}
