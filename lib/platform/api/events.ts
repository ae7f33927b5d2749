import { STORY } from './story.ts'

/**
 * The events that webhooks deliver: when each happens, and an example of its data. Docs, pages and tests use this
 * table.
 */
type EventDescription = { when: string; data: Record<string, unknown> }

const move = (from: string, to: string) => ({
  item_id: STORY.item,
  collection_id: STORY.collection,
  network_id: STORY.network,
  token_id: '7',
  quantity: '1',
  from,
  to,
  tx_hash: STORY.hash,
  block_number: 4_210,
  log_index: 3,
  timestamp: '2026-11-20T12:00:00.000Z',
})
const listing = (status: string, confirmed: string) => ({
  listing_id: STORY.listing,
  item_id: STORY.item,
  collection_id: null,
  campaign_id: null,
  status,
  price: '1999',
  currency: 'EUR',
  quantity_listed: '100',
  quantity_confirmed: confirmed,
  payment_providers: ['CARD_PROVIDER'],
})
const purchase = {
  purchase_intent_id: STORY.purchase,
  listing_id: STORY.listing,
  provider: 'CARD_PROVIDER',
  mode: 'TEST',
  quantity: '1',
  price: '1999',
  currency: 'EUR',
  email: 'ada@example.com',
  eth_address: null,
}
const claim = {
  email_claim_id: STORY.claim,
  item_id: STORY.item,
  collection_id: STORY.collection,
  campaign_id: null,
  token_id: '7',
  email: 'ada@example.com',
  quantity: '1',
  tx_payer: 'SELLER',
}

const suspension = (endedAt: string | null) => ({
  suspension_id: STORY.suspension,
  collection_id: STORY.collection,
  reason: 'The pictures belong to somebody else.',
  started_at: '2026-11-20T12:00:00.000Z',
  ended_at: endedAt,
})

const alarm = (resolvedAt: string | null) => ({
  alarm_id: STORY.alarm,
  kind: 'refund_stuck',
  subject: STORY.payment,
  detail: 'A refund of 1999 EUR (minor units) did not go through: the card provider refused it. It is tried again.',
  opened_at: '2026-11-20T12:00:00.000Z',
  resolved_at: resolvedAt,
})

export const EVENTS = {
  'item.minted': {
    when: 'A token of one of your items was minted, by a claim, a purchase, a mint request or a foreign transaction.',
    data: move(STORY.zeroAddress, STORY.ada),
  },
  'item.transferred': { when: 'Units of an item were transferred.', data: move(STORY.ada, STORY.grace) },
  'item.burned': {
    when: 'Units of an item were destroyed. They don’t return to stock.',
    data: move(STORY.ada, STORY.zeroAddress),
  },
  'listing.created': { when: 'A listing was published. Drafts send no event.', data: listing('ACTIVE', '0') },
  'listing.completed': { when: 'Every unit of a listing is sold and confirmed.', data: listing('COMPLETE', '100') },
  'listing.cancelled': {
    when: 'A listing was cancelled. Its unsold units went back to stock.',
    data: listing('CANCELLED', '12'),
  },
  'purchase.confirmed': {
    when: 'A purchase was paid, or was free and granted. Its delivery follows.',
    data: purchase,
  },
  'purchase.fulfilled': {
    when: 'Everything in a purchase was delivered to the buyer.',
    data: { ...purchase, item_ids: [STORY.item] },
  },
  'purchase.refunded': { when: 'A purchase was refunded to its buyer.', data: purchase },
  'claim.created': { when: 'An email claim was created; its mail is on its way.', data: claim },
  'claim.redeemed': {
    when:
      'A recipient proved their mailbox and named an address. With tx_payer BUYER, ' +
      'voucher_id replaces mint_request_id.',
    data: { ...claim, to_address: STORY.ada, mint_request_id: STORY.mintRequest },
  },
  'claim.delivered': {
    when: 'The claimed token is confirmed on the chain.',
    data: { ...claim, to_address: STORY.ada, tx_hash: STORY.hash },
  },
  'claim.declined': {
    when: 'A recipient declined a gift. Its claim is revoked, and its units return to stock.',
    data: claim,
  },
  'perk.code_given': {
    when: 'A holder of an item got a code of one of your perks. The code itself isn’t told.',
    data: {
      perk_id: STORY.perk,
      perk_code_id: STORY.event,
      item_id: STORY.item,
      collection_id: STORY.collection,
      unit: '1',
      address: STORY.ada,
    },
  },
  'collection.deployed': {
    when: 'A collection’s contract was deployed.',
    data: {
      collection_id: STORY.collection,
      network_id: STORY.network,
      contract: STORY.contract,
      token_type: 'ERC721',
    },
  },
  'alarm.opened': {
    when:
      'Something of yours needs a person: a refund that doesn’t go through, ' +
      'a purchase that can’t be delivered, a mail that bounced.',
    data: alarm(null),
  },
  'alarm.resolved': {
    when: 'What an alarm was about is over, and has been for a minute.',
    data: alarm('2026-11-20T12:05:00.000Z'),
  },
  'suspension.started': {
    when:
      'Those who run this service suspended your organization, or one of your collections: ' +
      'nothing of it is sold, claimed or minted.',
    data: suspension(null),
  },
  'suspension.ended': {
    when: 'The suspension was lifted. What waited goes on by itself.',
    data: suspension('2026-11-21T12:00:00.000Z'),
  },
} as const satisfies Record<string, EventDescription>

export type EventType = keyof typeof EVENTS
export const EVENT_TYPES = Object.keys(EVENTS) as [EventType, ...EventType[]]

/** The type of a webhook's test event. It concerns nothing real and can't be subscribed to. */
export const TEST_EVENT = 'webhook.test'
