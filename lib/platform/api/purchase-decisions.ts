import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { adminPurchaseIntent, area, params } from './purchases.ts'

export const refundPurchaseIntent = endpoint({
  id: 'refund-purchase-intent',
  method: 'POST',
  path: '/v1/purchase-intents/{purchase_intent_id}/refund',
  area,
  auth: 'api_key',
  permission: 'purchase_intents:write',
  summary: 'Refund a purchase',
  description:
    'Refunds a whole card payment, our fee included. Deliveries that have not been made are stopped first; ' +
    'a mint that was sent to the chain can’t be stopped: try again once it is final.',
  params,
  body: z.strictObject({}),
  response: adminPurchaseIntent,
  errors: ['not_refundable', 'mint_in_flight', 'voucher_out', 'recovering', 'mode_mismatch'],
  example: {},
})

export const RESOLUTIONS = ['DELIVERED', 'REFUNDED', 'NOT_PAID'] as const

export const resolvePurchaseIntent = endpoint({
  id: 'resolve-purchase-intent',
  method: 'POST',
  path: '/v1/purchase-intents/{purchase_intent_id}/resolve',
  area,
  auth: 'api_key',
  permission: 'purchase_intents:write',
  summary: 'Decide about an unresolved purchase',
  description:
    'For an UNRESOLVED purchase of which a person found out at the card provider or on the chain what became of it. ' +
    'Nothing is paid, refunded or delivered by it.',
  params,
  body: z.strictObject({
    outcome: z
      .enum(RESOLUTIONS)
      .describe(
        'DELIVERED: it was paid, and the buyer has it; it becomes CONFIRMED. REFUNDED: it was paid and refunded at ' +
          'a card account that is no longer connected. NOT_PAID: nobody paid at such an account; its units return.',
      ),
  }),
  response: adminPurchaseIntent,
  errors: ['not_unresolved', 'recovering', 'mint_in_flight', 'mode_mismatch'],
  example: { outcome: 'DELIVERED' },
})
