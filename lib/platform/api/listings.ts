import { z } from 'zod'
import { pageOf, pageQuery } from '../../core/page.ts'
import { address, email, minorUnits, optional, optionalFields, quantity, safeString, uuid } from '../../core/wire.ts'
import { addresses, emails } from './allow-lists.ts'
import { endpoint, noContent } from './endpoint.ts'
import { media } from './media.ts'
import {
  adminListing,
  adminListingInFull,
  ASSIGNMENT_STRATEGIES,
  LISTING_STATUSES,
  listingTerms,
  PAYERS,
  PAYMENT_PROVIDERS,
  POLICY_TYPES,
  publicListing,
} from './listing-record.ts'
import { STORY } from './story.ts'

const area = 'Listings'
const params = z.object({ listing_id: uuid })

/** Why nobody can buy. */
const CLOSED_REASONS = [
  'NOT_STARTED',
  'ENDED',
  'PAUSED',
  'CANCELLED',
  'SOLD_OUT',
  'SUSPENDED',
  'PAYOUT_ADDRESS_MISSING',
  'PROVIDER_NOT_CONFIGURED',
  'RECOVERING',
  'OPERATOR_MISSING',
  'MINTED_ALREADY',
  'VOUCHER_KEY_MISSING',
  'GAS_BUDGET_SPENT',
  'MAIL_QUOTA_SPENT',
] as const
const INELIGIBLE_REASONS = [...CLOSED_REASONS, 'NOT_ON_LIST', 'LIMIT_REACHED'] as const

/** A listing as a shop shows it, without another call. */
const shopListing = publicListing
  .extend({
    title: z.string().describe('Of the item, or the name of the collection.'),
    image: media.shape.image.describe('The picture of the item or of the collection; null when it has none.'),
    checkout_url: z.string().describe('The page that sells it.'),
    suspended: z.boolean().describe('It isn’t offered at the moment, whatever its status.'),
    reason: z.enum(CLOSED_REASONS).nullable().describe('Why nobody can buy now; null when it sells.'),
  })
  .meta({ id: 'PublicListing' })

const DAY = 86_400

const sessionDuration = z
  .strictObject({
    timeout_seconds: optional(z.int().min(60).max(DAY)).describe(
      'How long an unpaid purchase holds its units; 30 minutes unless given.',
    ),
    provider_override: optional(z.partialRecord(z.enum(PAYMENT_PROVIDERS), z.int().min(60).max(DAY))),
  })
  .meta({ id: 'PaymentSessionDuration' })

const claimDuration = z
  .int()
  .min(60)
  .max(3650 * DAY)

/** What creating and changing take alike. */
const policyTerms = {
  max_per_user: optional(quantity),
  payment_session_duration: optional(sessionDuration),
  email_claim_duration: optional(claimDuration).describe('Seconds a free email claim lives; 30 days unless set.'),
}

const policy = z.strictObject({
  type: optional(z.enum(POLICY_TYPES)).describe('FCFS (first come, first served) unless given.'),
  ...policyTerms,
  eth_addresses: optional(addresses).describe('The initial allow list.'),
  email_addresses: optional(emails),
  snapshot_id: optional(uuid).describe('With SNAPSHOT: the snapshot whose holders may buy.'),
  item_assignment_strategy: optional(z.enum(ASSIGNMENT_STRATEGIES)).describe(
    'Of a collection: AUTOMATIC (lowest token id, unless given otherwise) or RANDOM.',
  ),
  tx_payer: optional(z.enum(PAYERS)).describe('SELLER unless given.'),
})

const example = {
  item_id: STORY.item,
  quantity_listed: 1,
  price: '1500',
  currency: 'EUR',
  payment_providers: ['CARD_PROVIDER'],
  policy: { max_per_user: 1 },
}

export const listListings = endpoint({
  id: 'list-listings',
  method: 'GET',
  path: '/v1/listings',
  area,
  auth: 'api_key',
  permission: 'listings:read',
  summary: 'List listings',
  query: pageQuery(1000).extend({
    item_id: uuid.nullish(),
    collection_id: uuid.nullish(),
    campaign_id: uuid.nullish(),
    status: z.enum(LISTING_STATUSES).nullish(),
  }),
  response: pageOf(adminListing),
})

export const createListing = endpoint({
  id: 'create-listing',
  method: 'POST',
  path: '/v1/listings',
  area,
  auth: 'api_key',
  permission: 'listings:write',
  summary: 'Create a listing',
  description:
    'Offers one item, or any units of an ERC-721 collection that aren’t minted. Its units are held until they are ' +
    'sold or the listing ends; a DRAFT holds none. An item whose token is in custody of our operator (kept_by) is ' +
    'transferred instead of minted: not by MINT_VOUCHER, and not with tx_payer BUYER.',
  body: z
    .strictObject({
      item_id: optional(uuid),
      collection_id: optional(uuid),
      quantity_listed: quantity.describe('How many units are for sale.'),
      price: minorUnits.describe('Of one unit, in minor units: cents, wei.'),
      currency: safeString
        .trim()
        .min(1)
        .describe('USD, EUR, GBP, JPY; the symbol of the network’s coin; or a payment token’s symbol or address.'),
      payment_providers: z
        .array(z.enum(PAYMENT_PROVIDERS))
        .min(1)
        .transform((given) => [...new Set(given)]),
      max_quantity_per_tx: optional(quantity).describe('1 unless given.'),
      policy: optional(policy),
      ...optionalFields(listingTerms),
      status: optional(z.enum(['DRAFT', 'ACTIVE'])).describe(
        'ACTIVE unless given; it is SCHEDULED until its start_time.',
      ),
      proof_of_work: optional(z.boolean()).describe('Require a proof of work for every purchase.'),
    })
    .superRefine(({ item_id, collection_id, start_time, end_time, policy }, issues) => {
      const issue = (path: (string | number)[], message: string) => issues.addIssue({ code: 'custom', path, message })
      if (Boolean(item_id) === Boolean(collection_id))
        issue(item_id ? ['collection_id'] : ['item_id'], 'Give exactly one of item_id and collection_id.')
      if (start_time && end_time && start_time >= end_time) issue(['end_time'], 'The end must be after the start.')
      if ((policy?.type === 'SNAPSHOT') !== Boolean(policy?.snapshot_id))
        issue(['policy', 'snapshot_id'], 'A snapshot_id belongs to policy type SNAPSHOT, and is needed there.')
      const entries = (policy?.eth_addresses?.length ?? 0) + (policy?.email_addresses?.length ?? 0)
      if (entries > 0 && policy?.type !== 'ALLOW_LIST')
        issue(['policy', 'type'], 'An allow list needs policy type ALLOW_LIST.')
    }),
  response: adminListing,
  status: 201,
  errors: [
    'not_found',
    'item_not_locked',
    'collection_not_deployed',
    'sold_out',
    'in_escrow',
    'suspended',
    'operator_gone',
    'mode_mismatch',
    'supply_invalid',
    'quantity_invalid',
    'currency_invalid',
    'price_invalid',
    'payout_address_missing',
    'provider_not_configured',
    'voucher_unsupported',
    'snapshot_not_ready',
  ],
  example,
})

export const getListing = endpoint({
  id: 'get-listing',
  method: 'GET',
  path: '/v1/listings/{listing_id}',
  area,
  auth: 'api_key',
  permission: 'listings:read',
  summary: 'Get a listing',
  params,
  response: adminListingInFull,
})

export const updateListing = endpoint({
  id: 'update-listing',
  method: 'PATCH',
  path: '/v1/listings/{listing_id}',
  area,
  auth: 'api_key',
  permission: 'listings:write',
  summary: 'Edit a listing',
  description:
    'Policy limits, times and campaign. status PAUSED takes it off sale and releases its unsold units; ' +
    'ACTIVE puts it (or a DRAFT) on sale and holds them again.',
  params,
  creation: createListing.body,
  body: z.strictObject({
    status: z.enum(['ACTIVE', 'PAUSED']).optional(),
    max_quantity_per_tx: quantity.optional(),
    ...optionalFields(listingTerms),
    proof_of_work: z.boolean().optional(),
    policy: z.strictObject(policyTerms).optional(),
  }),
  response: adminListing,
  errors: [
    'listing_over',
    'mode_mismatch',
    'sold_out',
    'in_escrow',
    'suspended',
    'operator_gone',
    'quantity_invalid',
    'payout_address_missing',
    'provider_not_configured',
    'voucher_unsupported',
  ],
  example: { status: 'PAUSED', policy: { max_per_user: 2 } },
})

export const cancelListing = endpoint({
  id: 'cancel-listing',
  method: 'DELETE',
  path: '/v1/listings/{listing_id}',
  area,
  auth: 'api_key',
  permission: 'listings:write',
  summary: 'Cancel a listing',
  description:
    'It accepts no new purchases, open ones may still be paid until they expire, ' +
    'and its unsold units are released. A DRAFT is deleted.',
  params,
  response: noContent,
  status: 204,
  errors: ['listing_over', 'mode_mismatch'],
})

export const listPublicListings = endpoint({
  id: 'P10',
  method: 'GET',
  path: '/public/v1/listings',
  area,
  auth: 'anonymous',
  summary: 'List the listings of an organization',
  description: 'Of public collections; drafts are not shown.',
  query: pageQuery(1000).extend({
    organization_id: uuid,
    item_id: uuid.nullish(),
    collection_id: uuid.nullish(),
    campaign_id: uuid.nullish(),
  }),
  response: pageOf(shopListing),
})

export const getEligibility = endpoint({
  id: 'P11',
  method: 'GET',
  path: '/public/v1/listings/redemption-eligibility',
  area,
  auth: 'anonymous',
  summary: 'Whether an address or email may buy from a listing',
  description:
    'With neither, only the listing’s own state is considered. ' +
    'What makes a purchase of one unit fail makes is_eligible false, in every way that the listing can be paid. ' +
    'Only the purchase itself asks the network whether an address can receive the item (`address_cannot_receive`), ' +
    'counts this client’s open purchases (`rate_limited`) and asks for a proof of work. ' +
    'One client may ask about 20 different emails an hour; a further one is refused with `rate_limited`.',
  query: z.object({
    listing_id: uuid,
    eth_address: address.nullish(),
    email_address: safeString.pipe(email).nullish(),
  }),
  shortNames: { address: 'eth_address', email: 'email_address' },
  response: z
    .object({
      is_eligible: z.boolean(),
      quantity_allowed: z.string().describe('This buyer’s limit in all; 0 when not on the list.'),
      quantity_claimed: z
        .string()
        .describe(
          'Units in this buyer’s confirmed purchases, and in open ones that this client made or ' +
            'whose address was proved.',
        ),
      reason: z.enum(INELIGIBLE_REASONS).nullable().describe('Why not; null when eligible.'),
      reason_detail: z.string().nullable().describe('The same, for people.'),
    })
    .meta({ id: 'ListingEligibility' }),
  errors: ['not_found'],
})

export const getPublicListing = endpoint({
  id: 'P12',
  method: 'GET',
  path: '/public/v1/listings/{listing_id}',
  area,
  auth: 'anonymous',
  summary: 'Get a listing',
  params,
  response: shopListing,
})
