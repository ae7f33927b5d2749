'use client'

import { useState } from 'react'
import type { SubmitEvent } from 'react'
import { Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure'
import type { Stripe } from '@stripe/stripe-js'
import { Lock } from 'lucide-react'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import type { CardFormProps } from './card-form'
import { refusalOf } from './card-refusal'

/** Stripe's script, loaded once for each account and only where a card is about to be charged. */
const loaded = new Map<string, Promise<Stripe | null>>()

function stripeOf(publishableKey: string, account: string): Promise<Stripe | null> {
  const of = `${publishableKey} ${account}`
  const known = loaded.get(of) ?? loadStripe(publishableKey, { stripeAccount: account })
  loaded.set(of, known)
  return known
}

/** Stripe's card form. Card data goes to Stripe only. */
export function StripeForm({ data, ...rest }: CardFormProps) {
  return (
    <Elements stripe={stripeOf(data.publishable_key, data.account_id)} options={{ clientSecret: data.client_secret }}>
      <Inner {...rest} />
    </Elements>
  )
}

function Inner({ total, returnUrl, onPaid }: Omit<CardFormProps, 'data'>) {
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
      setProblem(refusal.sentence)
    } catch {
      setProblem('The payment could not be sent. Check your connection and try again.')
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
        Pay {total}
      </Button>
    </form>
  )
}
