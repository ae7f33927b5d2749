import { z } from 'zod'
import { address, count, nullableFields, timestamp, uuid } from '../../core/wire.ts'

export const LISTING_STATUSES = ['DRAFT', 'SCHEDULED', 'ACTIVE', 'PAUSED', 'COMPLETE', 'CANCELLED', 'EXPIRED'] as const
export const POLICY_TYPES = ['FCFS', 'ALLOW_LIST', 'SNAPSHOT'] as const

export const PAYMENT_PROVIDERS = [
  'CARD_PROVIDER',
  'MINT_VOUCHER',
  'EMAIL_CLAIM',
  'ORGANIZATION',
  'BETA_FREE_MINT',
] as const

export const ASSIGNMENT_STRATEGIES = ['AUTOMATIC', 'RANDOM'] as const
export const FIAT_CURRENCIES = ['USD', 'EUR', 'GBP', 'JPY'] as const
export const PAYERS = ['SELLER', 'BUYER'] as const

/** What creating and changing a listing take, and what its organization sees. */
export const listingTerms = { start_time: timestamp, end_time: timestamp, campaign_id: uuid }

export const publicListing = z
  .object({
    id: uuid,
    organization_id: uuid,
    campaign_id: uuid.nullable(),
    collection_id: uuid.nullable(),
    item_id: uuid.nullable().describe('null: any unit of the collection.'),
    contract: address,
    network_id: z.int(),
    currency: z.string().describe('USD, EUR, GBP or JPY; or the symbol of the network’s coin or of a payment token.'),
    currency_address: address
      .nullable()
      .describe('The payment token’s; the zero address is the network’s own coin; null for cards.'),
    price: z.string().describe('Of one unit, in minor units: cents, wei.'),
    price_currency_decimals: z.int(),
    payment_providers: z.array(z.enum(PAYMENT_PROVIDERS)),
    policy_type: z.enum(POLICY_TYPES),
    status: z.enum(LISTING_STATUSES),
    start_time: timestamp.nullable(),
    end_time: timestamp.nullable(),
    max_per_user: count.nullable(),
    max_quantity_per_tx: count,
    quantity_listed: count,
    quantity_remaining: count.describe(
      'Units of open purchases are not included; they return when such a purchase ends unpaid.',
    ),
    sold_out: z.boolean(),
    tx_payer: z.enum(PAYERS),
    proof_of_work: z.boolean().describe('Purchases always need a proof of work.'),
  })
  .meta({ id: 'Listing' })

export const adminListing = publicListing
  .extend({
    ...nullableFields(listingTerms),
    policy: z.object({
      type: z.enum(POLICY_TYPES),
      max_per_user: count.nullable(),
      snapshot_id: uuid.nullable(),
      payment_session_duration: z.object({
        timeout_seconds: z.int().nullable(),
        provider_override: z.record(z.string(), z.int()),
      }),
      email_claim_duration: z.int().nullable().describe('Seconds.'),
      item_assignment_strategy: z.enum(ASSIGNMENT_STRATEGIES),
      tx_payer: z.enum(PAYERS),
    }),
    sale_type: z.literal('DEFAULT'),
    mode: z.enum(['TEST', 'LIVE']),
    quantity_open: count.describe('Units in purchases that aren’t paid yet.'),
    quantity_confirmed: count.describe('Sold.'),
    checkout_url: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'AdminListing' })

export const preflight = z
  .object({
    code: z.enum([
      'payout_address_missing',
      'payout_contract_missing',
      'card_account_missing',
      'card_account_cannot_charge',
      'gas_low',
      'network_unreachable',
    ]),
    detail: z.string(),
    severity: z.enum(['ERROR', 'WARNING']),
  })
  .meta({ id: 'PreflightFinding' })

export const adminListingInFull = adminListing
  .extend({
    preflight: z.array(preflight).describe('Problems that would make purchases fail; empty when there are none.'),
  })
  .meta({ id: 'AdminListingInFull' })
