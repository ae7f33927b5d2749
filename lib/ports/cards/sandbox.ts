import type { Cards } from './cards.ts'
import { stripeCards } from './stripe.ts'

/** The built-in provider as our card provider: it speaks as Stripe does, so the same code talks to it, in this process. */
export const sandboxCards = (provider: {
  keys: { secretKey: string; publishableKey: string; webhookSecret: string }
  ask: (request: Request) => Promise<Response>
}): Cards =>
  stripeCards({
    adapter: 'SANDBOX',
    secretKey: provider.keys.secretKey,
    publishableKey: provider.keys.publishableKey,
    webhookSecrets: [provider.keys.webhookSecret],
    fetch: provider.ask,
  })
