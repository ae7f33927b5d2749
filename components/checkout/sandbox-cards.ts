import { objectOf } from '@/packages/client/src/call'
import { type CardFields, confirmCard } from '@/packages/client/src/sandbox'
import { type CardRefusal, refusalOf, type StripeRefusal } from './card-refusal'
import type { CardData } from './purchase'

/** The provider's response to a payment attempt. `bank`: 3-D Secure is required, at that address. */
export type CardAnswer = CardRefusal | { outcome: 'bank'; url: string }

/** Confirms a payment at the built-in provider with a publishable key, as Stripe's API does. */
export async function confirmAtSandbox(data: CardData, card: CardFields, returnUrl: string): Promise<CardAnswer> {
  const response = await confirmCard('', data, card, returnUrl)
  return answerIn(response.status, await response.json().catch(() => null))
}

type StripeAnswer = {
  status?: string
  next_action?: { redirect_to_url?: { url?: string } | null } | null
  error?: StripeRefusal
}

/** The outcome of a response in Stripe's shape. */
export function answerIn(status: number, body: unknown): CardAnswer {
  const { status: state, next_action: next, error } = objectOf(body) as StripeAnswer
  const url = next?.redirect_to_url?.url
  if (status < 300 && state === 'requires_action' && url) return { outcome: 'bank', url }
  if (status < 300 && (state === 'succeeded' || state === 'processing')) return { outcome: 'paid' }
  return refusalOf(error)
}
