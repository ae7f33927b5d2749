import { useTranslations } from 'next-intl'
import { getTranslations } from 'next-intl/server'
import { RotateCcw } from 'lucide-react'
import { titled } from '@/app/language/titled'
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
import { FormField } from '@/components/dashboard/forms/action-form'
import { Input } from '@/components/ui/input'
import { PageHeader } from '@/components/ui/page-header'
import { titleOf } from '@/components/ui/item-title'
import { ItemPicture } from '@/components/ui/picture'
import { DataTable } from '@/components/ui/data-table'
import { TextLink } from '@/components/ui/text-link'
import { RelativeTime } from '@/components/ui/relative-time'
import { Time } from '@/components/ui/time'
import { shownEmail } from '@/lib/core/shown-email'
import { may } from '@/lib/platform/auth/context'
import { dashboardContext } from '@/lib/platform/auth/dashboard'
import { getClaim } from '@/lib/giving/get-claim'
import { getCollection } from '@/lib/catalog/collections/get-collection'
import { orNotFound } from '@/lib/platform/http/or-not-found'
import { getItem } from '@/lib/catalog/items/get-item'
import { networkFacts } from '@/lib/offers/networks/network-facts'
import { resendClaimAction, revokeClaimAction } from '../actions'

export const generateMetadata = titled('dashboard.claims', 'one.title')

type Claim = Awaited<ReturnType<typeof getClaim>>
type Translator = ReturnType<typeof useTranslations<'dashboard.claims'>>

/** The mails of a claim, by their templates. */
const MAILS = ['REDEEM_NFT', 'CLAIM_PINCODE', 'CLAIMED_NFT', 'CLAIM_REMINDER'] as const

/** The colours of a mail's states. */
const MAIL_LOOKS = { PENDING: 'PENDING', SENT: 'SUCCESS', FAILED: 'FAILED', DISCARDED: 'CANCELLED' } as const

/** The state of a mail: for a sent one, the last event that the mail provider reported. */
function MailState({ mail }: { mail: Claim['mails'][number] }) {
  const t = useTranslations('dashboard.claims.mails.states')
  if (mail.complained_at) return <StateBadge state="UNRESOLVED" label={t('complained')} />
  if (mail.bounced_at) return <StateBadge state="FAILED" label={t('bounced')} />
  if (mail.delivered_at) return <StateBadge state="SUCCESS" label={t('delivered')} />
  return <StateBadge state={MAIL_LOOKS[mail.state]} label={t(mail.state)} />
}

/** The reasons for which a claim ended, as far as the page tells more of them. */
const ENDED = ['EXPIRED', 'LOCKED', 'REVOKED'] as const

function endOf({ inactive_reason: reason, declined_at, new_link_needed }: Claim) {
  if (reason === 'LOCKED' && new_link_needed) return 'NEW_LINK'
  if (reason && declined_at) return 'DECLINED'
  return ENDED.find((each) => each === reason)
}

export default async function ClaimPage({ params }: PageProps<'/dashboard/claims/[claimId]'>) {
  const { claimId } = await params
  const [ctx, t] = await Promise.all([dashboardContext(), getTranslations('dashboard.claims')])
  const claim = await orNotFound(claimId, (id) => getClaim(ctx, id))
  const [item, collection] = await Promise.all([getItem(ctx, claim.item_id), getCollection(ctx, claim.collection_id)])
  const explorerUrl = networkFacts(ctx).find(({ id }) => id === collection.network_id)?.explorerUrl ?? null
  const title = titleOf(item)
  const renew = claim.inactive_reason === 'LOCKED' && claim.new_link_needed
  const isHolders = claim.transfer_id !== null
  const ended = endOf(claim)
  const mayWrite = may(ctx, 'email_claims:write')
  const open = claim.active || claim.inactive_reason === 'LOCKED'
  const nameOf = (type: string) => {
    const known = MAILS.find((each) => each === type)
    return known ? t(`mails.types.${known}`) : type
  }
  const mailGoing = claim.mails.some(({ state }) => state === 'PENDING')
  return (
    <>
      <Refresh everySeconds={isMoving(claim) || mailGoing ? 2 : claim.active && 10} />
      <PageHeader
        back={{ href: '/dashboard/claims', label: t('title') }}
        title={<span className="break-all">{shownEmail(claim.email)}</span>}
        badge={<ClaimBadge claim={claim} />}
        description={t('one.item', { count: Number(claim.quantity), title })}
        actions={
          mayWrite &&
          open && (
            <>
              <ConfirmAction
                action={resendClaimAction.bind(null, claim.id)}
                draft="resend"
                opened={{ email: claim.email }}
                trigger={
                  <Button icon={<RotateCcw aria-hidden="true" className="size-4" />}>
                    {renew ? t('one.renew') : t('one.resend')}
                  </Button>
                }
                title={renew ? t('one.renewTitle') : t('one.resendTitle')}
                description={renew ? t('one.renewText') : t('one.resendText')}
                confirm={t('one.sendIt')}
                tone="primary"
              >
                {!isHolders && (
                  <FormField name="email" label={t('one.email')}>
                    <Input name="email" type="email" defaultValue={claim.email} autoComplete="off" />
                  </FormField>
                )}
                {renew && <input type="hidden" name="new_link:flag" value="true" />}
              </ConfirmAction>
              {!isHolders && (
                <ConfirmAction
                  action={revokeClaimAction.bind(null, claim.id)}
                  trigger={<Button variant="danger">{t('one.revoke')}</Button>}
                  title={t('one.revokeTitle')}
                  description={t('one.revokeText')}
                  confirm={t('one.revokeConfirm')}
                  type={shownEmail(claim.email)}
                />
              )}
            </>
          )
        }
      />
      {ended && (!isHolders || claim.inactive_reason === 'LOCKED') && (
        <Alert tone={claim.inactive_reason === 'LOCKED' ? 'warning' : 'info'} title={t(`one.ended.${ended}.title`)}>
          {t(`one.ended.${ended}.text`)}
        </Alert>
      )}
      {isHolders && (
        <Alert tone="info" title={t('one.holderTitle')}>
          {t('one.holder')}
        </Alert>
      )}
      {claim.delivery.failure && (
        <Alert tone="danger" title={t('one.failedTitle')}>
          <span lang="en">{claim.delivery.failure}</span>
          {claim.active && <span>{` ${t('one.redeemAgain')}`}</span>}
        </Alert>
      )}
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_18rem]">
        <div className="grid gap-6">
          <Card title={claim.active || isMoving(claim) ? t('one.onItsWay') : t('one.happened')}>
            <Steps label={t('one.progress')} steps={stepsOf(claim, t)} />
          </Card>
          <Card title={t('one.details')}>
            <Facts>
              {claim.active && claim.claim_url && (
                <Fact name={t('one.link')}>
                  <CopyButton text={claim.claim_url} label={t('one.copyLink')} showLabel />
                </Fact>
              )}
              <Fact name={t('one.payer')}>{t(`one.payers.${claim.tx_payer}`)}</Fact>
              <Fact name={t('one.expires')}>{claim.expiration ? <Time at={claim.expiration} /> : t('one.never')}</Fact>
              {claim.to_address && (
                <Fact name={t('one.goesTo')}>
                  <ChainLink value={claim.to_address} kind="address" explorerUrl={explorerUrl} />
                </Fact>
              )}
              {claim.tx_hash && (
                <Fact name={t('one.transaction')}>
                  <ChainLink value={claim.tx_hash} kind="tx" explorerUrl={explorerUrl} />
                </Fact>
              )}
              <Fact name={t('one.tokenId')}>
                <span className="figures">{claim.token_id ?? '–'}</span>
              </Fact>
            </Facts>
          </Card>
          <Card flush title={t('mails.title')} description={t('mails.description')}>
            {claim.mails.length === 0 ? (
              <p className="px-6 pb-6 text-sm text-muted">{t('mails.none')}</p>
            ) : (
              <DataTable
                caption={t('mails.title')}
                rows={claim.mails}
                columns={[
                  { label: t('mails.mail'), cell: (mail) => nameOf(mail.template_type) },
                  { label: t('mails.to'), cell: (mail) => <span className="break-all">{shownEmail(mail.email)}</span> },
                  {
                    label: t('mails.state'),
                    cell: (mail) => (
                      <span className="grid justify-items-start gap-1">
                        <MailState mail={mail} />
                        {mail.failure && !(mail.state === 'SENT' && !mail.bounced_at) && (
                          <span lang="en" className="text-sm text-muted">
                            {mail.failure}
                          </span>
                        )}
                      </span>
                    ),
                  },
                  { label: t('mails.written'), cell: (mail) => <RelativeTime at={mail.created_at} /> },
                ]}
              />
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

function stepsOf(claim: Claim, t: Translator): Step[] {
  const { delivery, redeemed_at: redeemed, opened_at: opened, last_pin_code_email_sent_at: pin } = claim
  const link = claim.mails.find(({ template_type }) => template_type === 'REDEEM_NFT')
  const waits = claim.active
  const after = (happened: boolean, before: boolean): Step['state'] =>
    happened ? 'done' : before && waits ? 'now' : 'todo'
  const arrived = delivery.state === 'CONFIRMED'
  const mailed = link?.state === 'SENT' || opened !== null
  return [
    {
      name: t('steps.linkSent'),
      state: link?.state === 'FAILED' ? 'failed' : mailed ? 'done' : 'now',
      at: link?.sent_at ?? null,
      note: link?.state === 'FAILED' ? t('steps.mailFailed') : null,
    },
    { name: t('steps.opened'), state: after(opened !== null || pin !== null || redeemed !== null, mailed), at: opened },
    { name: t('steps.pinSent'), state: after(pin !== null || redeemed !== null, opened !== null), at: pin },
    { name: t('steps.redeemed'), state: after(redeemed !== null, pin !== null), at: redeemed },
    {
      name: t('steps.delivered'),
      state: arrived
        ? 'done'
        : delivery.state === 'FAILED'
          ? 'failed'
          : redeemed && !claim.inactive_reason?.match(/EXPIRED|REVOKED/)
            ? 'now'
            : 'todo',
      at: claim.delivered_at,
      note: claim.tx_payer === 'BUYER' && redeemed && !arrived ? t('steps.voucherUnused') : null,
    },
  ]
}
