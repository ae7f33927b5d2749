'use client'

import { useState } from 'react'
import type { SubmitEvent } from 'react'
import { Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure'
import type { Stripe, StripeElementLocale } from '@stripe/stripe-js'
import { Lock } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import type { Locale } from '@/lib/core/locales'
import type { CardFormProps } from './card-form'
import { refusalOf } from './card-refusal'

/** Stripe knows one Chinese, written in simplified characters. */
const stripeLocaleOf = (locale: Locale): StripeElementLocale => (locale === 'zh-Hans' ? 'zh' : locale)

/** Stripe's script, loaded once for each account and language and only where a card is about to be charged. */
const loaded = new Map<string, Promise<Stripe | null>>()

function stripeOf(publishableKey: string, account: string, locale: StripeElementLocale): Promise<Stripe | null> {
  const of = `${publishableKey} ${account} ${locale}`
  const known = loaded.get(of) ?? loadStripe(publishableKey, { stripeAccount: account, locale })
  loaded.set(of, known)
  return known
}

/** Stripe's card form. Card data goes to Stripe only. */
export function StripeForm({ data, ...rest }: CardFormProps) {
  const locale = stripeLocaleOf(useLocale())
  return (
    // Another language is another instance, which Elements takes only when it is mounted.
    <Elements
      key={locale}
      stripe={stripeOf(data.publishable_key, data.account_id, locale)}
      options={{ clientSecret: data.client_secret, locale }}
    >
      <Inner {...rest} />
    </Elements>
  )
}

function Inner({ total, returnUrl, onPaid }: Omit<CardFormProps, 'data'>) {
  const t = useTranslations('purchase.card')
  const tStep = useTranslations('purchase.step')
  const stripe = useStripe()
  const elements = useElements()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)

  async function pay(event: SubmitEvent) {
    event.preventDefault()
    if (!stripe || !elements) return
    setBusy(true)
    setProblem(null)
    try {
      // 3-D Secure usually opens over this page; only some banks redirect the buyer away and back.
      const { error, paymentIntent } = await stripe.confirmPayment({
        elements,
        confirmParams: { return_url: returnUrl },
        redirect: 'if_required',
      })
      const state = paymentIntent?.status
      if (state === 'succeeded' || state === 'processing') return onPaid()
      const refusal = refusalOf(error)
      if (refusal.outcome === 'paid') return onPaid()
      // Stripe writes its own sentences in the language of the page.
      setProblem(refusal.message ?? t(`refused.${refusal.reason}`))
    } catch {
      setProblem(t('notSent'))
    }
    setBusy(false)
  }

  return (
    <form onSubmit={pay} className="grid gap-4">
      {problem && (
        <Alert tone="danger" live>
          {problem}
        </Alert>
      )}
      <PaymentElement />
      <Button
        type="submit"
        variant="primary"
        size="lg"
        busy={busy || !stripe}
        icon={<Lock aria-hidden="true" className="size-4.5" />}
      >
        {tStep('pay', { total })}
      </Button>
    </form>
  )
}
