/** The error of Stripe's API, which the built-in provider has as well. */
export type StripeRefusal = {
  code?: string
  decline_code?: string
  message?: string
  payment_intent?: { status?: string }
}

/** Why a card wasn't charged, as a key of `purchase.card.refused`. */
type Reason = 'declined' | 'noMoney' | 'expired' | 'cvcWrong' | 'numberWrong' | 'notConfirmed' | 'tooLate' | 'other'

/**
 * The meaning of a refused attempt. `paid`: an earlier attempt, such as one from another tab, had paid already.
 * `message` is the provider's own sentence for a reason that we have no words for, and `again` whether another card may
 * be tried.
 */
export type CardRefusal =
  { outcome: 'paid' } | { outcome: 'declined'; reason: Reason; message: string | null; again: boolean }

/** The meaning of an error of Stripe or the built-in provider. */
export function refusalOf(error: StripeRefusal | undefined): CardRefusal {
  // An attempt after the payment was made or cancelled.
  const stands = error?.payment_intent?.status ?? /status of (\w+)/.exec(error?.message ?? '')?.[1]
  if (stands === 'succeeded' || stands === 'processing') return { outcome: 'paid' }
  if (stands === 'canceled') return { outcome: 'declined', reason: 'tooLate', message: null, again: false }
  const known: Reason | undefined = reasons[error?.decline_code ?? ''] ?? reasons[error?.code ?? '']
  return {
    outcome: 'declined',
    reason: known ?? 'other',
    message: known ? null : (error?.message ?? null),
    again: true,
  }
}

const reasons: Record<string, Reason> = {
  generic_decline: 'declined',
  card_declined: 'declined',
  insufficient_funds: 'noMoney',
  expired_card: 'expired',
  incorrect_cvc: 'cvcWrong',
  incorrect_number: 'numberWrong',
  invalid_number: 'numberWrong',
  payment_intent_authentication_failure: 'notConfirmed',
}
