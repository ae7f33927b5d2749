import type Stripe from 'stripe'
import { callStripe } from './call-stripe.ts'
import { CardsUnavailable } from './cards.ts'

const PAGE_SIZE = 100

/**
 * All payments of an account that were created at `since` or later, newest first, a page at a time. Throws when the
 * pages don't advance.
 */
export async function* pagesOf(
  stripe: Stripe,
  accountId: string,
  since: Date,
): AsyncGenerator<Stripe.PaymentIntent[], void, undefined> {
  const created = { gte: Math.floor(since.getTime() / 1000) }
  const ends = new Set<string>()
  for (let after: string | undefined; ;) {
    const { data, has_more: more } = await callStripe(() =>
      stripe.paymentIntents.list(
        { created, limit: PAGE_SIZE, ...(after && { starting_after: after }) },
        { stripeAccount: accountId },
      ),
    )
    yield data
    if (!more) return
    after = data.at(-1)?.id
    if (!after || ends.has(after)) throw new CardsUnavailable('The card provider repeats a page of its payments.')
    ends.add(after)
  }
}
