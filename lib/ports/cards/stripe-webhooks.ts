import { callStripe } from './call-stripe.ts'
import { type StripeSettings, stripeClient } from './stripe.ts'

/** The events without which something is noticed only when payments are reconciled. */
const NEEDED_EVENTS = [
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'payment_intent.canceled',
  'charge.refunded',
  'charge.dispute.created',
  'charge.dispute.closed',
  'refund.updated',
  'refund.failed',
  'account.updated',
  'account.application.deauthorized',
]

export type WebhookEndpoint = { url: string; enabled: boolean; missingEvents: string[] }

/** The webhook endpoints that Stripe knows for our key. Throws CardsUnavailable or CardRefused. */
export const listWebhookEndpoints = (settings: StripeSettings): Promise<WebhookEndpoint[]> =>
  callStripe(async () => {
    const { data } = await stripeClient(settings).webhookEndpoints.list({ limit: 100 })
    return data.map(({ url, status, enabled_events: events }) => ({
      url,
      enabled: status === 'enabled',
      missingEvents: events.includes('*') ? [] : NEEDED_EVENTS.filter((event) => !events.includes(event)),
    }))
  })
