import { objectOf } from '@/packages/client/src/call'
import { type CardFields, confirmCard } from '@/packages/client/src/sandbox'
import type { CardData } from './purchase'

/** The provider's response to a payment attempt. `bank`: 3-D Secure is required, at that address. */
export type CardAnswer =
  { outcome: 'paid' } | { outcome: 'bank'; url: string } | { outcome: 'declined'; sentence: string; again: boolean }

/** Confirms a payment at the built-in provider with a publishable key, as Stripe's API does. */
export async function confirmAtSandbox(data: CardData, card: CardFields, returnUrl: string): Promise<CardAnswer> {
  const response = await confirmCard('', data, card, returnUrl)
  return answerIn(response.status, await response.json().catch(() => null))
}

type StripeAnswer = {
  status?: string
  next_action?: { redirect_to_url?: { url?: string } | null } | null
  error?: { code?: string; decline_code?: string; message?: string; payment_intent?: { status?: string } }
}

/** The outcome of a response in Stripe's shape. */
export function answerIn(status: number, body: unknown): CardAnswer {
  const { status: state, next_action: next, error } = objectOf(body) as StripeAnswer
  const url = next?.redirect_to_url?.url
  if (status < 300 && state === 'requires_action' && url) return { outcome: 'bank', url }
  if (status < 300 && (state === 'succeeded' || state === 'processing')) return { outcome: 'paid' }
  // An attempt after the payment was made, such as from another tab, or after it was cancelled.
  const stands = error?.payment_intent?.status ?? /status of (\w+)/.exec(error?.message ?? '')?.[1]
  if (stands === 'succeeded') return { outcome: 'paid' }
  if (stands === 'canceled')
    return { outcome: 'declined', sentence: 'The time to pay was over. Nothing was charged.', again: false }
  return { outcome: 'declined', sentence: sentenceOf(error), again: true }
}

function sentenceOf(error: StripeAnswer['error']): string {
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
