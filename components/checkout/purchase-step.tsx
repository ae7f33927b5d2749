import type { ReactNode } from 'react'
import { MailOpen } from 'lucide-react'
import { Button, LinkButton } from '@/components/ui/button'
import { Spinner } from '@/components/ui/spinner'
import { Step } from '@/components/shared/step'
import { HeldUntil, PayByCard, PayByWallet } from './pay-step'
import type { PurchaseStepProps } from './purchase-step-props'
import { PurchaseProgress } from './purchase-progress'
import { missingPartOf } from './purchase'
import type { PurchaseView, Scene } from './purchase'

type StepContent = { title: string; lead: ReactNode; takeFocus?: boolean; body?: ReactNode }

/** The step of the current scene. One Step stays mounted for all scenes, so that progress doesn't move the focus each time. */
export function PurchaseStep(props: PurchaseStepProps) {
  const { title, lead, takeFocus = true, body }: StepContent = stepOf[props.payment.scene](props)
  return (
    <Step title={title} lead={lead} takeFocus={takeFocus}>
      {body}
    </Step>
  )
}

const stepOf = {
  pay_card: (props) => ({
    title: `Pay ${props.total}`,
    lead: <HeldUntil purchase={props.purchase} now={props.now} />,
    takeFocus: false,
    body: <PayByCard {...props} />,
  }),
  pay_wallet: (props) => ({
    title: `Pay ${props.total}`,
    lead: <HeldUntil purchase={props.purchase} now={props.now} />,
    takeFocus: false,
    body: <PayByWallet {...props} />,
  }),
  confirming: ({ purchase, payment }) => ({
    title: 'Thank you. We are looking for your payment',
    lead: 'This takes a few seconds, and longer when the network is busy. You can close this page and come back.',
    body: (
      <>
        <PurchaseProgress purchase={purchase} scene="confirming" />
        {payment.hash && (
          <Button variant="quiet" className="justify-self-start" onClick={payment.forgetSent}>
            Nothing is moving? Send it again
          </Button>
        )}
      </>
    ),
  }),
  mailbox: (props) => ({
    title: 'It waits in your mailbox',
    lead: mailboxLead(props),
    body: <MailboxHints purchase={props.purchase} />,
  }),
  preparing: onItsWay,
  on_its_way: onItsWay,
  yours: (props) => ({
    title: `${props.title} is yours`,
    lead: [missingPartOf(props.purchase), 'Nobody can take it back. Keep this page’s link as your proof of purchase.']
      .filter(Boolean)
      .join(' '),
    body: (
      <>
        <PurchaseProgress purchase={props.purchase} scene="yours" />
        {props.purchase.eth_address && (
          <LinkButton href={listingHref(props)} className="justify-self-start">
            Back to the listing
          </LinkButton>
        )}
      </>
    ),
  }),
  refunding: ({ purchase }) => ({
    title: 'It could not be delivered',
    lead: `${failureOf(purchase)} Your money is on its way back: all of it, to the card you paid with.`,
  }),
  refunded: (props) => ({
    title: 'You got your money back',
    lead: `${props.purchase.failure ? `${props.purchase.failure} ` : ''}All of it went to the card you paid with. Banks take up to ten days to show it.`,
    body: <BackToListing {...props} />,
  }),
  unresolved: ({ purchase }) => ({
    title: 'A person has to look at this',
    lead: `${purchase.confirmed_at ? 'Your payment arrived, but something' : 'Something'} is in the way${purchase.failure ? `: ${purchase.failure}` : '.'} The seller has been told, and nothing you paid is lost. This page shows what comes of it.`,
  }),
  closing: () => ({
    title: 'The time to pay is over',
    lead: 'We are making sure that nothing was charged. This takes a few seconds.',
    body: <Spinner label="Making sure" className="text-glass" />,
  }),
  lapsed: (props) => ({
    title: 'It went back',
    lead: 'It waited for a while, and nobody took it out of the mailbox. Nothing was charged.',
    body: <BackToListing {...props} />,
  }),
  failed: (props) => ({
    title: 'It could not be delivered',
    lead: `${failureOf(props.purchase)} Nothing was charged. You can try again, with another address if you have one.`,
    body: <BackToListing {...props} />,
  }),
  expired: (props) => ({
    title: 'The time to pay is over',
    lead: 'It was kept for you for a while and is free again. Nothing was charged; if a payment is still under way, it is returned or counts after all.',
    body: <BackToListing {...props} />,
  }),
  given_up: (props) => ({
    title: 'You gave this up',
    lead: 'Nothing was charged. Somebody else can have it now.',
    body: <BackToListing {...props} />,
  }),
  suspended: () => ({
    title: 'This isn’t offered at the moment',
    lead: 'Those who run this service have stopped it for now, so it can’t be paid. A payment that is still under way is returned, or counts after all.',
  }),
  paid_suspended: () => ({
    title: 'This isn’t offered at the moment',
    lead: 'Those who run this service have stopped it for now. Nothing is lost: it is delivered once this goes on, or what was paid is returned. This page shows what comes of it.',
  }),
} satisfies Record<Scene, (props: PurchaseStepProps) => StepContent>

function onItsWay({ purchase, payment }: PurchaseStepProps): StepContent {
  return {
    title: 'It’s on its way to you',
    lead: 'You can close this page. Its link always brings you back here.',
    body: <PurchaseProgress purchase={purchase} scene={payment.scene} />,
  }
}

function mailboxLead({ purchase, title }: PurchaseStepProps): string {
  const to = purchase.email_hint ?? 'your mailbox'
  const paid = purchase.provider === 'CARD_PROVIDER' ? 'Paid. ' : ''
  if (purchase.units.length > 1)
    return `${paid}We sent a link for each of them to ${to}: open them, and choose where they should live.`
  return `${paid}We sent a link to ${to}: open it, and choose where ${title} should live.`
}

function MailboxHints({ purchase }: { purchase: PurchaseView }) {
  return (
    <>
      <PurchaseProgress purchase={purchase} scene="mailbox" />
      <p className="flex gap-3 rounded-md bg-well px-4 py-3 text-sm">
        <MailOpen aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-glass" />
        <span>
          Nothing there? Look among the unwanted mail too.{' '}
          {purchase.provider === 'CARD_PROVIDER'
            ? 'The link in it works for as long as you like.'
            : 'Open it in the next days: what nobody opens goes back to the others.'}
        </span>
      </p>
    </>
  )
}

const failureOf = ({ failure }: PurchaseView): string => failure ?? 'The network turned it down for good.'

const listingHref = ({ purchase, embedded }: PurchaseStepProps): string =>
  `/l/${purchase.listing_id}${embedded ? '?embed=1' : ''}`

function BackToListing(props: PurchaseStepProps) {
  return (
    <LinkButton href={listingHref(props)} size="lg" className="justify-self-start">
      Back to the listing
    </LinkButton>
  )
}
