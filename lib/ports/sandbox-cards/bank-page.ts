import type { Currency } from '../../core/money.ts'
import { openSandboxStore } from './store.ts'
import { authenticateIntent, isAuthenticationToken, getIntent, returnUrlOf } from './payment-intents.ts'
import { cardByName } from './test-cards.ts'

export type PaymentAuthentication = {
  amountMinor: bigint
  currency: Currency
  last4: string
  isOpen: boolean
  returnUrl: string | null
}

/** Finds the payment that the bank's authentication page shows. null: the link's token is not valid. */
export async function findPaymentAuthentication(
  paymentId: string,
  token: string,
): Promise<PaymentAuthentication | null> {
  if (!isAuthenticationToken(paymentId, token)) return null
  const store = openSandboxStore()
  const row = await getIntent(store, paymentId)
  return {
    amountMinor: row.amount,
    currency: row.currency.toUpperCase() as Currency,
    last4: cardByName(row.card ?? '')?.last4 ?? '••••',
    isOpen: row.status === 'requires_action',
    returnUrl: returnUrlOf(store, row),
  }
}

/**
 * Completes or refuses the authentication. Gives the URL to return to, if any; null when the link's token is not valid.
 */
export async function completePaymentAuthentication(
  paymentId: string,
  token: string,
  isBuyer: boolean,
): Promise<{ returnUrl: string | null } | null> {
  const question = await findPaymentAuthentication(paymentId, token)
  if (!question) return null
  const { status } = await authenticateIntent(openSandboxStore(), paymentId, isBuyer)
  return { returnUrl: question.returnUrl && withOutcome(question.returnUrl, paymentId, status) }
}

/** The return URL with the outcome in the query parameters that Stripe adds. */
function withOutcome(returnUrl: string, paymentId: string, status: string): string {
  const url = new URL(returnUrl)
  url.searchParams.set('payment_intent', paymentId)
  url.searchParams.set('redirect_status', status === 'succeeded' ? 'succeeded' : 'failed')
  return url.href
}
