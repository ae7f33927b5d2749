'use client'

import { useState } from 'react'
import { useTranslations } from 'next-intl'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Sentence } from '@/components/ui/sentence'
import { Spinner } from '@/components/ui/spinner'
import { later } from '@/components/shared/later'
import { Countdown } from './countdown'
import { OneMoment } from './one-moment'
import { cardDataOf, voucherOf } from './purchase'
import type { PurchaseStepProps } from './purchase-step-props'

const StripeForm = later(() => import('./stripe-form').then((module) => module.StripeForm), OneMoment)
const CardForm = later(() => import('./card-form').then((module) => module.CardForm), OneMoment)
const PayVoucher = later(() => import('./pay-voucher').then((module) => module.PayVoucher), OneMoment)
const GiveUpDialog = later(() => import('./give-up-dialog').then((module) => module.GiveUpDialog))

/** Until when the units are held. */
export function HeldUntil({ purchase, now }: Pick<PurchaseStepProps, 'purchase' | 'now'>) {
  const t = useTranslations('purchase.step')
  return <Sentence>{t.rich('held', { left: () => <Countdown to={purchase.expires_at} now={now} /> })}</Sentence>
}

export function PayByCard(props: PurchaseStepProps) {
  const { id, purchase, total, embedded, stripeKey, payment } = props
  const t = useTranslations('purchase.pay')
  const data = cardDataOf(purchase)
  const Form = stripeKey && data?.publishable_key === stripeKey ? StripeForm : CardForm
  return (
    <>
      {payment.bankRefused && (
        <Alert tone="danger" live>
          {t('bankRefused')}
        </Alert>
      )}
      {data ? (
        <Form
          key={data.client_secret}
          data={data}
          total={total}
          embedded={embedded}
          returnUrl={`${location.origin}/p/${id}`}
          onPaid={payment.onCardPaid}
        />
      ) : (
        <Spinner label={t('preparing')} />
      )}
      <GiveUpButton {...props} />
    </>
  )
}

export function PayByWallet(props: PurchaseStepProps) {
  const { purchase, network, total, payment } = props
  const t = useTranslations('purchase.pay')
  const entry = voucherOf(purchase)
  return (
    <>
      {payment.transactionFailed && (
        <Alert tone="danger" live>
          {t('transactionFailed')}
        </Alert>
      )}
      {entry ? (
        <PayVoucher
          entry={entry}
          network={network}
          total={total}
          currency={purchase.currency}
          onSent={payment.onVoucherSent}
        />
      ) : (
        <Spinner label={t('preparing')} />
      )}
      <GiveUpButton {...props} />
    </>
  )
}

function GiveUpButton(props: PurchaseStepProps) {
  const t = useTranslations('purchase.giveUp')
  // null: it was never opened, and its script isn't loaded.
  const [open, setOpen] = useState<boolean | null>(null)
  return (
    <>
      <Button variant="quiet" className="justify-self-start" onClick={() => setOpen(true)}>
        {t('ask')}
      </Button>
      {open !== null && <GiveUpDialog {...props} open={open} onOpenChange={setOpen} />}
    </>
  )
}
