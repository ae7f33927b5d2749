import Stripe from 'stripe'
import { CardAccountLost, CardRefused, CardsUnavailable } from './cards.ts'

/**
 * Not about this request: our key is wrong or lacks permission, the same idempotency key is in use, or there are too
 * many requests.
 */
const RETRYABLE_STATUSES = new Set([401, 403, 409, 429])
const OUR_CODES = { charge_already_refunded: 'already_refunded', charge_disputed: 'disputed' } as Record<string, string>

/** Runs a call and turns Stripe's errors into the port's. */
export async function callStripe<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error
    const code = error.code ?? error.type
    if (code === 'account_invalid') throw new CardAccountLost(error.message, { cause: error })
    if (RETRYABLE_STATUSES.has(error.statusCode ?? 500) || (error.statusCode ?? 500) >= 500)
      throw new CardsUnavailable(error.message, { cause: error })
    throw new CardRefused(OUR_CODES[code] ?? code, error.message, { cause: error })
  }
}
