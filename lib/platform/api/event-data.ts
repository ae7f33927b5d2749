import { z } from 'zod'
import { address, email, timestamp, uuid } from '../../core/wire.ts'
import { TOKEN_TYPES } from './collection-record.ts'
import type { EventType } from './events.ts'
import { LISTING_STATUSES, PAYMENT_PROVIDERS } from './listing-record.ts'
import { TX_PAYERS } from './public-claims.ts'

const amount = z.string().regex(/^\d+$/)

const move = z
  .object({
    item_id: uuid,
    collection_id: uuid,
    network_id: z.int(),
    token_id: amount,
    quantity: amount.describe('How many units.'),
    from: address.describe('Who gave them; the zero address when they were minted.'),
    to: address.describe('Who got them; the zero address when they were destroyed.'),
    tx_hash: z.string(),
    block_number: z.int(),
    log_index: z.int(),
    timestamp: timestamp.describe('Of the block.'),
  })
  .meta({ id: 'ItemEvent' })

const listing = z
  .object({
    listing_id: uuid,
    item_id: uuid.nullable().describe('The item that is sold; null where any unit of a collection is.'),
    collection_id: uuid.nullable().describe('The collection that is sold from; null where one item is sold.'),
    campaign_id: uuid.nullable(),
    status: z.enum(LISTING_STATUSES),
    price: amount.describe('Of one unit, in minor units.'),
    currency: z.string(),
    quantity_listed: amount,
    quantity_confirmed: amount.describe('Sold.'),
    payment_providers: z.array(z.enum(PAYMENT_PROVIDERS)),
  })
  .meta({ id: 'ListingEvent' })

const purchase = z
  .object({
    purchase_intent_id: uuid,
    listing_id: uuid,
    provider: z.enum(PAYMENT_PROVIDERS),
    mode: z.enum(['TEST', 'LIVE']),
    quantity: amount,
    price: amount.describe('Of all units together, in minor units.'),
    currency: z.string(),
    email: email.nullable().describe('The buyer’s email address; null where only an address was named.'),
    eth_address: address.nullable().describe('The buyer’s address; null where only an email address was named.'),
  })
  .meta({ id: 'PurchaseEvent' })

const claim = z
  .object({
    email_claim_id: uuid,
    item_id: uuid,
    collection_id: uuid,
    campaign_id: uuid.nullable(),
    token_id: amount.nullable().describe('Id of the token in its contract.'),
    email: email.describe('The recipient.'),
    quantity: amount,
    tx_payer: z.enum(TX_PAYERS),
    purchase_intent_id: uuid.optional().describe('The purchase that the claim delivers; absent for a gift.'),
    transfer_id: uuid.optional().describe('The transfer by which a holder sent the item; absent for any other.'),
  })
  .meta({ id: 'ClaimEvent' })

const alarm = z
  .object({
    alarm_id: uuid.describe('Id of the alarm.'),
    kind: z.string().describe('What kind of thing needs a person, for programs.'),
    subject: z.string().describe('What it concerns: mostly an id.'),
    detail: z.string().describe('What happened, for people.'),
    opened_at: timestamp.describe('When it began.'),
    resolved_at: timestamp.nullable().describe('When it was over; null until then.'),
  })
  .meta({ id: 'AlarmEvent' })

const suspension = z
  .object({
    suspension_id: uuid.describe('Id of the suspension.'),
    collection_id: uuid.nullable().describe('The suspended collection; null: the whole organization.'),
    reason: z.string().describe('Why, for people.'),
    started_at: timestamp.describe('When it began.'),
    ended_at: timestamp.nullable().describe('When it was lifted; null until then.'),
  })
  .meta({ id: 'SuspensionEvent' })

/**
 * The data of each event as a schema. The OpenAPI document shows it, and every event that a test records is checked
 * against it.
 */
export const EVENT_DATA = {
  'item.minted': move,
  'item.transferred': move,
  'item.burned': move,
  'listing.created': listing,
  'listing.completed': listing,
  'listing.cancelled': listing,
  'purchase.confirmed': purchase,
  'purchase.fulfilled': purchase.extend({ item_ids: z.array(uuid) }).meta({ id: 'PurchaseFulfilledEvent' }),
  'purchase.refunded': purchase,
  'claim.created': claim,
  'claim.redeemed': claim
    .extend({
      to_address: address.describe('The address that the recipient chose.'),
      mint_request_id: uuid.optional().describe('With tx_payer SELLER: our mint request.'),
      voucher_id: uuid.optional().describe('With tx_payer BUYER: the mint voucher that was issued.'),
    })
    .meta({ id: 'ClaimRedeemedEvent' }),
  'claim.delivered': claim
    .extend({ to_address: address.nullable().describe('The address that got the token.'), tx_hash: z.string() })
    .meta({ id: 'ClaimDeliveredEvent' }),
  'claim.declined': claim,
  'perk.code_given': z
    .object({
      perk_id: uuid,
      perk_code_id: uuid.describe('Names the code in the list of who got which.'),
      item_id: uuid,
      collection_id: uuid,
      unit: amount.describe('For which unit of the item, counted from 1 in the order of giving.'),
      address: address.describe('Who got it.'),
    })
    .meta({ id: 'PerkCodeGivenEvent' }),
  'collection.deployed': z
    .object({
      collection_id: uuid,
      network_id: z.int(),
      contract: address,
      token_type: z.enum(TOKEN_TYPES),
    })
    .meta({ id: 'CollectionDeployedEvent' }),
  'alarm.opened': alarm,
  'alarm.resolved': alarm,
  'suspension.started': suspension,
  'suspension.ended': suspension,
} as const satisfies Record<EventType, z.ZodObject>

/** A value before it is written as JSON: amounts may be bigint, times Date. */
type Told<V> = V extends string ? string | bigint | Date : V extends readonly (infer E)[] ? readonly E[] : V
/** The data of an event, as `recordEvent` takes it. */
export type EventData<T extends EventType> = {
  [K in keyof z.input<(typeof EVENT_DATA)[T]>]: Told<z.input<(typeof EVENT_DATA)[T]>[K]>
}
