import { z } from 'zod'
import { pageOf, pageQuery } from '../../core/page.ts'
import { optional, timestamp, uuid } from '../../core/wire.ts'
import { endpoint, noContent } from './endpoint.ts'

const area = 'Payments'
const params = z.object({ payment_integration_id: uuid })

export const paymentIntegration = z
  .object({
    id: uuid,
    provider: z.literal('CARD_PROVIDER'),
    mode: z.enum(['TEST', 'LIVE']).describe('TEST serves listings on testnets, LIVE all others.'),
    adapter: z
      .enum(['SANDBOX', 'STRIPE'])
      .describe('SANDBOX is the built-in test provider, where no real money is paid.'),
    status: z
      .enum(['PENDING', 'ACTIVE', 'RESTRICTED', 'DISCONNECTED'])
      .describe(
        'PENDING: onboarding is not complete or being verified. RESTRICTED: ' +
          'payments were possible and are disabled now.',
      ),
    account_id: z.string().nullable().describe('The organization’s own account at the provider.'),
    charges_enabled: z.boolean(),
    requirements: z.array(z.string()).describe('What the provider still requires, in its own names.'),
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
      'The provider’s onboarding form. The URL works once and for some minutes; null when nothing is required.',
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
    'Starts onboarding at the card provider and returns its URL. ' +
    'Repeating it while it is PENDING continues with the same account.',
  body: z.strictObject({ mode: optional(z.enum(['TEST', 'LIVE'])).describe('TEST unless given.') }),
  response: withOnboarding,
  status: 201,
  errors: [
    'payment_integration_exists',
    'provider_not_configured',
    'approval_needed',
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
  summary: 'Refresh a card account',
  description:
    'Reads the account’s state from the provider, and gets a new onboarding URL while onboarding is not complete.',
  params,
  response: withOnboarding,
  errors: ['invalid_request', 'mode_mismatch', 'card_provider_refused', 'unavailable'],
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
  response: noContent,
  status: 204,
  errors: ['payment_integration_in_use', 'mode_mismatch'],
})
