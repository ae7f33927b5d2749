import type { Cards } from './cards.ts'
import { stripeCards } from './stripe.ts'

/**
 * The sandbox's card provider (lib/ports/sandbox-cards). It has Stripe's API, so the Stripe adapter calls it, within
 * this process.
 */
export const sandboxCards = (provider: {
  keys: { secretKey: string; publishableKey: string; webhookSecret: string }
  /** Events signed with these are accepted too. */
  earlierKeys?: readonly { webhookSecret: string }[]
  handle: (request: Request) => Promise<Response>
}): Cards =>
  stripeCards({
    adapter: 'SANDBOX',
    secretKey: provider.keys.secretKey,
    publishableKey: provider.keys.publishableKey,
    webhookSecrets: [provider.keys, ...(provider.earlierKeys ?? [])].map(({ webhookSecret }) => webhookSecret),
    fetch: provider.handle,
  })
