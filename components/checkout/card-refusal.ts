/** The error of Stripe's API, which the built-in provider has as well. */
export type StripeRefusal = {
  code?: string
  decline_code?: string
  message?: string
  payment_intent?: { status?: string }
}

/** What a refused attempt means. `paid`: an earlier attempt, such as one from another tab, had paid already. */
export type CardRefusal = { outcome: 'paid' } | { outcome: 'declined'; sentence: string; again: boolean }

/** The same words for Stripe and the built-in provider. `again` is whether another card may be tried. */
export function refusalOf(error: StripeRefusal | undefined): CardRefusal {
  // An attempt after the payment was made or cancelled.
  const stands = error?.payment_intent?.status ?? /status of (\w+)/.exec(error?.message ?? '')?.[1]
  if (stands === 'succeeded' || stands === 'processing') return { outcome: 'paid' }
  if (stands === 'canceled')
    return { outcome: 'declined', sentence: 'The time to pay was over. Nothing was charged.', again: false }
  return { outcome: 'declined', sentence: sentenceOf(error), again: true }
}

function sentenceOf(error: StripeRefusal | undefined): string {
  const known: string | undefined = sentences[error?.decline_code ?? ''] ?? sentences[error?.code ?? '']
  return known ?? error?.message ?? 'The card could not be charged. Try another one.'
}

const sentences: Record<string, string> = {
  generic_decline: 'Your bank declined this card. Nothing was charged. Try another one, or ask your bank.',
  card_declined: 'Your bank declined this card. Nothing was charged. Try another one, or ask your bank.',
  insufficient_funds: 'There isn’t enough money on this card. Nothing was charged. Try another one.',
  expired_card: 'This card has expired. Nothing was charged. Try another one.',
  incorrect_cvc: 'The security code isn’t right. Nothing was charged. Look at the card and try once more.',
  incorrect_number: 'The card’s number isn’t right. Look at the card and try once more.',
  invalid_number: 'The card’s number isn’t right. Look at the card and try once more.',
  payment_intent_authentication_failure:
    'Your bank did not confirm that it is you. Nothing was charged. Try once more, or another card.',
}
