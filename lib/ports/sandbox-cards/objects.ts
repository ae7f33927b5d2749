import type { SandboxAccount, SandboxPaymentIntent, SandboxRefund } from '../../../generated/prisma/client.ts'
import { cardByName } from './test-cards.ts'

// The provider's objects in the shapes of Stripe's API.

const seconds = (at: Date): number => Math.floor(at.getTime() / 1000)

type IntentRow = SandboxPaymentIntent & { refunds: SandboxRefund[] }

export const isVerified = ({ state, verifiesAt }: SandboxAccount, now: Date): boolean =>
  state === 'ENABLED' || (state === 'VERIFYING' && verifiesAt !== null && verifiesAt <= now)

export function accountObject(row: SandboxAccount, now: Date) {
  const enabled = isVerified(row, now)
  const due = row.state === 'NEW' ? ['business_profile.url', 'external_account', 'tos_acceptance.date'] : []
  const pending = row.state === 'VERIFYING' && !enabled ? ['individual.verification.document'] : []
  return {
    id: row.id,
    object: 'account',
    type: 'standard',
    charges_enabled: enabled,
    payouts_enabled: enabled,
    details_submitted: row.state !== 'NEW',
    country: 'US',
    default_currency: 'usd',
    created: seconds(row.createdAt),
    capabilities: { card_payments: enabled ? 'active' : 'inactive', transfers: enabled ? 'active' : 'inactive' },
    requirements: {
      alternatives: [],
      current_deadline: null,
      currently_due: due,
      disabled_reason: enabled ? null : 'requirements.past_due',
      errors: [],
      eventually_due: due,
      past_due: [],
      pending_verification: pending,
    },
    metadata: {},
  }
}

export const chargeIdOf = ({ id }: Pick<SandboxPaymentIntent, 'id'>): string => id.replace(/^pi_/, 'ch_')

export const refundObject = (row: SandboxRefund, intent: SandboxPaymentIntent) => ({
  id: row.id,
  object: 'refund',
  amount: Number(row.amount),
  balance_transaction: null,
  charge: chargeIdOf(intent),
  created: seconds(row.createdAt),
  currency: intent.currency,
  metadata: row.metadata,
  payment_intent: intent.id,
  reason: 'requested_by_customer',
  receipt_number: null,
  source_transfer_reversal: null,
  status: row.status,
  transfer_reversal: null,
})

const METHOD = { type: 'card', billing_details: { address: null, email: null, name: null, phone: null, tax_id: null } }

const cardDetails = (name: string | null) => {
  const card = name === null ? undefined : cardByName(name)
  return {
    brand: card?.brand ?? 'visa',
    last4: card?.last4 ?? '4242',
    exp_month: 12,
    exp_year: 2034,
    country: 'US',
    funding: 'credit',
  }
}

export function chargeObject(row: IntentRow) {
  const refunds = row.refunds.map((refund) => refundObject(refund, row))
  return {
    id: chargeIdOf(row),
    object: 'charge',
    amount: Number(row.amount),
    amount_captured: Number(row.amountReceived),
    amount_refunded: Number(row.amountRefunded),
    application_fee_amount: row.fee > 0n ? Number(row.fee) : null,
    billing_details: METHOD.billing_details,
    captured: true,
    created: seconds(row.createdAt),
    currency: row.currency,
    disputed: row.disputed,
    livemode: false,
    metadata: row.metadata,
    paid: true,
    payment_intent: row.id,
    payment_method: row.card,
    payment_method_details: { type: 'card', card: cardDetails(row.card) },
    refunded: row.amountRefunded >= row.amountReceived,
    refunds: { object: 'list', data: refunds, has_more: false, url: `/v1/charges/${chargeIdOf(row)}/refunds` },
    status: 'succeeded',
  }
}

/** A PaymentIntent. `expand` is the request's: without it the charge is only an id. */
export function intentObject(row: IntentRow, expand: readonly string[] = []) {
  const charged = row.amountReceived > 0n
  const charge = charged ? chargeObject(row) : null
  const whole = expand.includes('latest_charge.refunds')
    ? charge
    : expand.includes('latest_charge') && charge
      ? { ...charge, refunds: undefined }
      : null
  return {
    id: row.id,
    object: 'payment_intent',
    amount: Number(row.amount),
    amount_capturable: 0,
    amount_received: Number(row.amountReceived),
    application: null,
    application_fee_amount: row.fee > 0n ? Number(row.fee) : null,
    automatic_payment_methods: null,
    canceled_at: row.status === 'canceled' ? seconds(row.createdAt) : null,
    cancellation_reason: row.status === 'canceled' ? 'abandoned' : null,
    capture_method: 'automatic',
    client_secret: row.clientSecret,
    confirmation_method: 'automatic',
    created: seconds(row.createdAt),
    currency: row.currency,
    customer: null,
    description: null,
    last_payment_error: row.lastError,
    latest_charge: charged ? (whole ?? chargeIdOf(row)) : null,
    livemode: false,
    metadata: row.metadata,
    next_action: row.nextAction,
    on_behalf_of: null,
    payment_method: row.status === 'requires_payment_method' ? null : row.card,
    payment_method_options: {},
    payment_method_types: ['card'],
    processing: null,
    receipt_email: null,
    setup_future_usage: null,
    shipping: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: row.status,
    transfer_data: null,
    transfer_group: null,
  }
}

/** A test card as PaymentMethod, without its number. */
export const methodObject = (name: string, createdAt: Date) => ({
  id: name,
  object: 'payment_method',
  ...METHOD,
  card: cardDetails(name),
  created: seconds(createdAt),
  customer: null,
  livemode: false,
  metadata: {},
})

export const disputeObject = (row: IntentRow) => ({
  id: row.id.replace(/^pi_/, 'dp_'),
  object: 'dispute',
  amount: Number(row.amount),
  charge: chargeIdOf(row),
  currency: row.currency,
  livemode: false,
  metadata: {},
  payment_intent: row.id,
  reason: 'fraudulent',
  status: row.disputeStatus ?? 'needs_response',
})
