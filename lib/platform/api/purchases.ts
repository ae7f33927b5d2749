import { z } from 'zod'
import { pageOf, pageQuery } from '../../core/page.ts'
import {
  address,
  count,
  email,
  locale,
  optional,
  safeString,
  timestamp,
  uint256Quantity,
  uuid,
} from '../../core/wire.ts'
import { endpoint, noContent } from './endpoint.ts'
import { PAYMENT_PROVIDERS } from './listing-record.ts'
import { mintVoucher } from './mint-vouchers.ts'
import { delivery } from './public-claims.ts'
import { STORY } from './story.ts'

export const area = 'Purchase intents'
export const params = z.object({ purchase_intent_id: uuid })
export const secret = z.object({
  secret: safeString
    .nullish()
    .describe('The secret from the purchase’s creation; without it the purchase is not found.'),
})

/** An address's signature: of a key, or what a contract wallet takes for one. */
export const signature = z
  .string()
  .regex(/^0x(?:[0-9a-fA-F]{2}){1,2048}$/, 'A signature is 0x and hex digits.')
  .transform((text) => text as `0x${string}`)
  .meta({ description: '0x and hex digits: 65 bytes of a key, or any that a contract wallet accepts (ERC-1271).' })

export const INTENT_STATUSES = ['PENDING', 'CONFIRMED', 'EXPIRED', 'CANCELLED', 'UNRESOLVED', 'REFUNDED'] as const
export const FULFILLMENT_STATUSES = ['PENDING', 'ASSIGNED', 'COMPLETED', 'EXCEPTION'] as const
export const FULFILLMENT_METHODS = ['EMAIL', 'TRANSFER', 'VOUCHER'] as const
export const PAYMENT_STATES = [
  'CREATING',
  'OPEN',
  'CANCELLING',
  'CANCELLED',
  'SUCCEEDED',
  'REFUNDING',
  'REFUNDED',
  'DISPUTED',
] as const

/** The data that a card form needs to take the payment. */
export const cardData = z
  .object({
    account_id: z.string().describe('The organization’s account at the card provider.'),
    client_secret: z.string().describe('Confirms this payment and no other.'),
    mode: z.enum(['TEST', 'LIVE']),
    publishable_key: z.string(),
    session_id: uuid.describe('This purchase intent’s id.'),
    provider_price: z.object({
      currency: z.string(),
      price: z.string().describe('Of the whole purchase, in minor units.'),
    }),
  })
  .meta({ id: 'CardData' })

const emailHint = z
  .object({ email_hint: z.string().describe('The masked address that the link was sent to.') })
  .meta({ id: 'EmailClaimData' })

const purchasedUnits = z
  .object({
    item_id: uuid,
    collection_name: z.string(),
    token_id: z.string().nullable(),
    title: z.string(),
    image: z.string().nullable().describe('Our copy of the picture.'),
    quantity: count,
    delivery,
  })
  .meta({ id: 'PurchasedUnits' })

const timelineEntry = z
  .object({
    at: timestamp,
    status: z.enum(INTENT_STATUSES),
    fulfillment_status: z.enum(FULFILLMENT_STATUSES),
    detail: z.string().nullable(),
  })
  .meta({ id: 'PurchaseHappening' })

/** The fields of a purchase that both the buyer and the seller see. */
export const purchaseIntent = z
  .object({
    id: uuid,
    expires_at: timestamp.describe('Until then the units are held for this buyer.'),
    data: z
      .union([cardData, mintVoucher, emailHint])
      .nullable()
      .describe(
        'What this payment provider needs: data for a card form, a mint voucher for a wallet, ' +
          'or the masked email address.',
      ),
    listing_id: uuid,
    organization_id: uuid,
    provider: z.enum(PAYMENT_PROVIDERS),
    status: z.enum(INTENT_STATUSES),
    fulfillment_status: z.enum(FULFILLMENT_STATUSES),
    fulfillment_method: z.enum(FULFILLMENT_METHODS),
    quantity: count,
    refunded_quantity: count.describe(
      'How many of the units were refunded: some, when those could not be delivered and the others were; ' +
        'all, when it is REFUNDED.',
    ),
    price: z.string().describe('Of all units together, in minor units of the currency.'),
    currency: z.string(),
    currency_decimals: z.int(),
    email_hint: z.string().nullable(),
    eth_address: address.nullable(),
    locale: z.string().nullable().describe('Of its page and mails: given, or chosen by the buyer. null: none was.'),
    failure: z.string().nullable().describe('What went wrong, for people.'),
    delivery: delivery.describe('The state of the units whose delivery is least advanced.'),
    units: z.array(purchasedUnits).describe('What was bought.'),
    timeline: z.array(timelineEntry).describe('What happened to the purchase, oldest first.'),
    suspended: z
      .boolean()
      .describe('It isn’t offered at the moment: it can’t be paid, and what was paid waits or is refunded.'),
    created_at: timestamp,
    confirmed_at: timestamp.nullable(),
    completed_at: timestamp.nullable(),
  })
  .meta({ id: 'PurchaseIntent' })

export const createdPurchaseIntent = purchaseIntent
  .extend({
    secret: z
      .string()
      .nullable()
      .describe(
        'Needed to read this purchase later; store it like a password. ' +
          'null for an open voucher purchase that was found by its address: ' +
          'its secret is in the answer to whoever made it, for the same Idempotency-Key, or for whoever shows it.',
      ),
  })
  .meta({ id: 'CreatedPurchaseIntent' })

export const adminPurchaseIntent = purchaseIntent
  .omit({ data: true, email_hint: true, suspended: true })
  .extend({
    collection_id: uuid,
    item_ids: z.array(uuid),
    email: email.nullable(),
    mode: z.enum(['TEST', 'LIVE']),
    origin: z.string().nullable().describe('The calling site’s own label.'),
    email_claim_ids: z.array(uuid),
    mint_request_ids: z.array(uuid),
    voucher_id: uuid.nullable(),
    payment: z
      .object({
        id: uuid,
        state: z.enum(PAYMENT_STATES),
        amount: z.string(),
        refunded: z.string().describe('How much of the amount was refunded so far.'),
        fee: z.string(),
        currency: z.string(),
        provider_payment_id: z.string().nullable(),
        failure: z.string().nullable(),
        paid_at: timestamp.nullable(),
        refunded_at: timestamp.nullable(),
      })
      .nullable(),
    refundable: z.boolean().describe('Whether it can be refunded now.'),
  })
  .meta({ id: 'AdminPurchaseIntent' })

export const createPurchaseIntent = endpoint({
  id: 'P15',
  method: 'POST',
  path: '/public/v1/purchase-intents',
  area,
  auth: 'anonymous',
  summary: 'Create a purchase intent',
  description:
    'Reserves units of a listing for a buyer. CARD_PROVIDER needs an email or an address (both: ' +
    'the address gets the item, the email the receipt), MINT_VOUCHER an address, EMAIL_CLAIM an email, ' +
    'ORGANIZATION and BETA_FREE_MINT an address. For an address with an open voucher ' +
    'purchase that one is returned instead of a second one, without its secret; ' +
    'another quantity is refused with `purchase_open` and the `purchase_intent_id` of the open one. ' +
    'A buyer or client with too many open and unpaid ones is refused with `purchases_open`; `open_purchases` says ' +
    'when each of them ends (`expires_at`). Whoever can sign with the address may close it or take it over.',
  query: z.object({
    secret: safeString
      .nullish()
      .describe('The secret of an open voucher purchase, to get it again in full when it is found by its address.'),
  }),
  body: z.strictObject({
    buyer: z.strictObject({ email: optional(email), eth_address: optional(address) }),
    listing_id: uuid,
    provider: optional(z.enum(PAYMENT_PROVIDERS)).describe('The listing’s only one when left out.'),
    quantity: optional(uint256Quantity).describe('1 when left out.'),
    origin: optional(safeString).describe('A label of the calling site, stored with the purchase.'),
    locale: optional(locale).describe('The buyer’s language.'),
    proof: optional(safeString).describe('The answer to a challenge, where one is required.'),
  }),
  response: createdPurchaseIntent,
  status: 201,
  errors: [
    'card_provider_refused',
    'conflict',
    'not_found',
    'provider_required',
    'provider_not_offered',
    'provider_not_configured',
    'buyer_invalid',
    'quantity_invalid',
    'amount_invalid',
    'not_eligible',
    'limit_reached',
    'listing_not_active',
    'sold_out',
    'recovering',
    'operator_gone',
    'voucher_unsupported',
    'proof_required',
    'purchase_open',
    'purchases_open',
    'address_cannot_receive',
    'payout_address_missing',
    'gas_budget_spent',
    'snapshot_not_ready',
    'rate_limited',
    'suspended',
  ],
  example: {
    buyer: { email: 'ada@example.com' },
    listing_id: STORY.listing,
    provider: 'CARD_PROVIDER',
    quantity: 1,
  },
})

export const getPurchaseIntent = endpoint({
  id: 'get-purchase-intent',
  method: 'GET',
  path: '/public/v1/purchase-intents/{purchase_intent_id}',
  area,
  auth: 'purchase_secret',
  summary: 'Get the state of a purchase',
  description: 'From reservation to delivery. `data` is present as long as the purchase can be paid.',
  params,
  query: secret,
  response: purchaseIntent,
})

export const giveUpPurchaseIntent = endpoint({
  id: 'give-up-purchase-intent',
  method: 'DELETE',
  path: '/public/v1/purchase-intents/{purchase_intent_id}',
  area,
  auth: 'anonymous',
  summary: 'Give up a purchase',
  description:
    'Releases its units: at once with a card, and with a voucher once the voucher can’t be sent any more. ' +
    'A purchase that was paid meanwhile gives 409. It needs the purchase’s secret, or, ' +
    'of an open voucher purchase, the signature of a challenge with action CLOSE by its address.',
  params,
  query: secret.extend({
    nonce: safeString.nullish().describe('Of the challenge that was signed.'),
    signature: signature.nullish().describe('Of the challenge’s typed data.'),
  }),
  response: noContent,
  status: 204,
  errors: ['purchase_confirmed', 'signature_invalid', 'unavailable'],
})

export const listPurchaseIntents = endpoint({
  id: 'list-purchase-intents',
  method: 'GET',
  path: '/v1/purchase-intents',
  area,
  auth: 'api_key',
  permission: 'purchase_intents:read',
  summary: 'List purchase intents',
  query: pageQuery(1000).extend({
    item_id: uuid.nullish(),
    collection_id: uuid.nullish(),
    listing_id: uuid.nullish(),
    status: z.enum(INTENT_STATUSES).nullish(),
    email: email.nullish(),
    eth_address: address.nullish(),
    fulfillment_status: z.enum(FULFILLMENT_STATUSES).nullish(),
    fulfillment_method: z.enum(FULFILLMENT_METHODS).nullish(),
    payment_provider: z.enum(PAYMENT_PROVIDERS).nullish(),
  }),
  response: pageOf(adminPurchaseIntent),
})

export const getAdminPurchaseIntent = endpoint({
  id: 'get-admin-purchase-intent',
  method: 'GET',
  path: '/v1/purchase-intents/{purchase_intent_id}',
  area,
  auth: 'api_key',
  permission: 'purchase_intents:read',
  summary: 'Get a purchase intent',
  params,
  response: adminPurchaseIntent,
})
