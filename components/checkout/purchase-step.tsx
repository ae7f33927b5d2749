import type { ReactNode } from 'react'
import { MailOpen } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import { Button } from '@/components/ui/button'
import { Quoted } from '@/components/ui/quoted'
import { Sentence } from '@/components/ui/sentence'
import { Spinner } from '@/components/ui/spinner'
import { Step } from '@/components/shared/step'
import { BackToListing } from './back-to-listing'
import { HeldUntil, PayByCard, PayByWallet } from './pay-step'
import type { PurchaseStepProps } from './purchase-step-props'
import { PurchaseProgress } from './purchase-progress'
import { missingPartOf } from './purchase'
import type { PurchaseView, Scene } from './purchase'
import type { PurchaseTexts } from './subject'

type StepContent = { title: ReactNode; lead: ReactNode; takeFocus?: boolean; body?: ReactNode }

/** `failure`: what the API says went wrong, where the reader can read it. It is in English. */
type Words = { t: PurchaseTexts; failure: string | null }

/**
 * The step of the current scene. One Step stays mounted for all scenes, so that progress doesn't move the focus each
 * time.
 */
export function PurchaseStep(props: PurchaseStepProps) {
  const t = useTranslations('purchase')
  const failure = useLocale() === 'en' ? props.purchase.failure : null
  const { title, lead, takeFocus = true, body }: StepContent = stepOf[props.payment.scene](props, { t, failure })
  return (
    <Step title={title} lead={lead} takeFocus={takeFocus}>
      {body}
    </Step>
  )
}

const stepOf = {
  pay_card: (props, { t }) => ({
    title: t('step.pay', { total: props.total }),
    lead: <HeldUntil purchase={props.purchase} now={props.now} />,
    takeFocus: false,
    body: <PayByCard {...props} />,
  }),
  pay_wallet: (props, { t }) => ({
    title: t('step.pay', { total: props.total }),
    lead: <HeldUntil purchase={props.purchase} now={props.now} />,
    takeFocus: false,
    body: <PayByWallet {...props} />,
  }),
  confirming: ({ purchase, payment }, { t }) => ({
    title: t('step.confirming.title'),
    lead: t('step.confirming.lead'),
    body: (
      <>
        <PurchaseProgress purchase={purchase} scene="confirming" />
        {payment.hash && (
          <Button variant="quiet" className="justify-self-start" onClick={payment.forgetSent}>
            {t('step.confirming.again')}
          </Button>
        )}
      </>
    ),
  }),
  mailbox: (props, { t }) => ({
    title: t('step.mailbox.title'),
    lead: mailboxLead(props, t),
    body: <MailboxHints purchase={props.purchase} />,
  }),
  preparing: onItsWay,
  on_its_way: onItsWay,
  yours: (props, words) => ({
    title: (
      <Sentence>
        {words.t.rich('step.yours.title', { title: props.title, item: () => <Quoted>{props.title}</Quoted> })}
      </Sentence>
    ),
    lead: sentences(missingPart(props.purchase, words), words.t('step.yours.lead')),
    body: (
      <>
        <PurchaseProgress purchase={props.purchase} scene="yours" />
        {props.purchase.eth_address && <BackToListing listingId={props.purchase.listing_id} size="md" />}
      </>
    ),
  }),
  refunding: ({ purchase }, words) => ({
    title: words.t('step.refunding.title'),
    lead: sentences(whyOf(purchase, words), words.t('step.refunding.lead')),
  }),
  refunded: (props, { t, failure }) => ({
    title: t('step.refunded.title'),
    lead: sentences(failure, t('step.refunded.lead')),
    body: <BackToListing listingId={props.purchase.listing_id} />,
  }),
  unresolved: ({ purchase }, { t, failure }) => ({
    title: t('step.unresolved.title'),
    lead: sentences(
      t(purchase.confirmed_at ? 'step.unresolved.paid' : 'step.unresolved.unpaid'),
      failure,
      t('step.unresolved.lead'),
    ),
  }),
  closing: (_, { t }) => ({
    title: t('step.closing.title'),
    lead: t('step.closing.lead'),
    body: <Spinner label={t('step.closing.makingSure')} className="text-glass" />,
  }),
  lapsed: ended('lapsed'),
  failed: (props, words) => ({
    title: words.t('step.failed.title'),
    lead: sentences(whyOf(props.purchase, words), words.t('step.failed.lead')),
    body: <BackToListing listingId={props.purchase.listing_id} />,
  }),
  expired: ended('expired'),
  given_up: ended('given_up'),
  suspended: (_, { t }) => ({ title: t('step.suspended.title'), lead: t('step.suspended.lead') }),
  paid_suspended: (_, { t }) => ({ title: t('step.paid_suspended.title'), lead: t('step.paid_suspended.lead') }),
} satisfies Record<Scene, (props: PurchaseStepProps, words: Words) => StepContent>

/** Nothing was bought, and there is nothing to do but to look again. */
function ended(scene: 'lapsed' | 'expired' | 'given_up') {
  return (props: PurchaseStepProps, { t }: Words): StepContent => ({
    title: t(`step.${scene}.title`),
    lead: t(`step.${scene}.lead`),
    body: <BackToListing listingId={props.purchase.listing_id} />,
  })
}

function onItsWay({ purchase, payment }: PurchaseStepProps, { t }: Words): StepContent {
  return {
    title: t('step.onItsWay.title'),
    lead: t('step.onItsWay.lead'),
    body: <PurchaseProgress purchase={purchase} scene={payment.scene} />,
  }
}

const sentences = (...found: readonly (string | null)[]): string => found.filter(Boolean).join(' ')

/** Why it could not be delivered. */
const whyOf = ({ failure: known }: PurchaseView, { t, failure }: Words): string =>
  failure ?? t(known === null ? 'why.network' : 'why.other')

/** The sentence about units that could not be delivered while the others were. null: there are none. */
function missingPart(purchase: PurchaseView, words: Words): string | null {
  const missing = missingPartOf(purchase)
  if (missing === null) return null
  return missing === 'refunding'
    ? words.t('step.yours.partRefunding', { why: whyOf(purchase, words) })
    : words.t('step.yours.partRefunded', {
        refunded: String(purchase.refunded_quantity),
        quantity: String(purchase.quantity),
      })
}

function mailboxLead({ purchase, title }: PurchaseStepProps, t: PurchaseTexts): ReactNode {
  const email = { hint: purchase.email_hint ?? '', email: (hint: ReactNode) => <bdi>{hint}</bdi> }
  const item = { title, item: () => <Quoted>{title}</Quoted> }
  const isKnown = purchase.email_hint !== null
  return (
    <>
      {purchase.provider === 'CARD_PROVIDER' && <span>{`${t('step.mailbox.paid')} `}</span>}
      <span>
        {purchase.units.length > 1 ? (
          isKnown ? (
            <Sentence>{t.rich('step.mailbox.allTo', email)}</Sentence>
          ) : (
            t('step.mailbox.allHere')
          )
        ) : isKnown ? (
          <Sentence>{t.rich('step.mailbox.oneTo', { ...email, ...item })}</Sentence>
        ) : (
          <Sentence>{t.rich('step.mailbox.oneHere', item)}</Sentence>
        )}
      </span>
    </>
  )
}

function MailboxHints({ purchase }: { purchase: PurchaseView }) {
  const t = useTranslations('purchase.step.mailbox')
  return (
    <>
      <PurchaseProgress purchase={purchase} scene="mailbox" />
      <p className="flex gap-3 rounded-md bg-well px-4 py-3 text-sm">
        <MailOpen aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-glass" />
        <span>{`${t('nothing')} ${t(purchase.provider === 'CARD_PROVIDER' ? 'forever' : 'days')}`}</span>
      </p>
    </>
  )
}
