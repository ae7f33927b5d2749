import { z } from 'zod'
import { pageOf, pageQuery } from '../../core/page.ts'
import { optional, timestamp, uuid } from '../../core/wire.ts'
import { endpoint, nothing } from './endpoint.ts'

const area = 'Payments'
const params = z.object({ payment_integration_id: uuid })

export const paymentIntegration = z
  .object({
    id: uuid,
    provider: z.literal('CARD_PROVIDER'),
    mode: z.enum(['TEST', 'LIVE']).describe('TEST serves listings on testnets, LIVE all others.'),
    adapter: z
      .enum(['SANDBOX', 'STRIPE'])
      .describe('SANDBOX is the built-in provider: nothing real is ever paid there.'),
    status: z
      .enum(['PENDING', 'ACTIVE', 'RESTRICTED', 'DISCONNECTED'])
      .describe(
        'PENDING: the provider waits for answers or checks them. RESTRICTED: it could take payments, and can’t now.',
      ),
    account_id: z.string().nullable().describe('The organization’s own account at the provider.'),
    charges_enabled: z.boolean(),
    requirements: z.array(z.string()).describe('What the provider still asks for, in its words.'),
    refreshed_at: timestamp.nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'PaymentIntegration' })

const withOnboarding = paymentIntegration.extend({
  onboarding_url: z
    .url()
    .nullable()
    .describe(
      'Where to tell the provider what it asks for. Works once and for some minutes; null when it asks for nothing.',
    ),
})

export const listPaymentIntegrations = endpoint({
  id: 'list-payment-integrations',
  method: 'GET',
  path: '/v1/payment-integrations',
  area,
  auth: 'api_key',
  permission: 'payments:read',
  summary: 'List payment integrations',
  description: 'The organization’s accounts at the card provider, disconnected ones included.',
  query: pageQuery(100),
  response: pageOf(paymentIntegration),
})

export const createPaymentIntegration = endpoint({
  id: 'create-payment-integration',
  method: 'POST',
  path: '/v1/payment-integrations',
  area,
  auth: 'api_key',
  permission: 'payments:write',
  summary: 'Connect a card account',
  description:
    'Starts onboarding at the card provider and answers the address where it happens. Asking again while it is PENDING goes on with the same account.',
  body: z.strictObject({ mode: optional(z.enum(['TEST', 'LIVE'])).describe('TEST unless given.') }),
  response: withOnboarding,
  status: 201,
  errors: [
    'payment_integration_exists',
    'provider_not_configured',
    'mode_mismatch',
    'card_provider_refused',
    'unavailable',
  ],
  example: { mode: 'TEST' },
})

export const refreshPaymentIntegration = endpoint({
  id: 'refresh-payment-integration',
  method: 'POST',
  path: '/v1/payment-integrations/{payment_integration_id}/refresh',
  area,
  auth: 'api_key',
  permission: 'payments:write',
  summary: 'Read a card account anew',
  description: 'Asks the provider how the account stands, and for a new onboarding address while it waits for answers.',
  params,
  response: withOnboarding,
  errors: ['mode_mismatch', 'card_provider_refused', 'unavailable'],
})

export const disconnectPaymentIntegration = endpoint({
  id: 'disconnect-payment-integration',
  method: 'DELETE',
  path: '/v1/payment-integrations/{payment_integration_id}',
  area,
  auth: 'api_key',
  permission: 'payments:write',
  summary: 'Disconnect a card account',
  description: 'Card payments end at once. Not while a payment is open or a refund under way.',
  params,
  response: nothing,
  status: 204,
  errors: ['payment_integration_in_use', 'mode_mismatch'],
})
