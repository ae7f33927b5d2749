import type { EventType } from '../api.ts'

/** The events that there are. */
export const EVENT_NAMES: readonly string[] = Object.keys({
  'item.minted': true,
  'item.transferred': true,
  'item.burned': true,
  'listing.created': true,
  'listing.completed': true,
  'listing.cancelled': true,
  'purchase.confirmed': true,
  'purchase.fulfilled': true,
  'purchase.refunded': true,
  'claim.created': true,
  'claim.redeemed': true,
  'claim.delivered': true,
  'claim.declined': true,
  'perk.code_given': true,
  'collection.deployed': true,
  'alarm.opened': true,
  'alarm.resolved': true,
  'suspension.started': true,
  'suspension.ended': true,
} satisfies Record<EventType, true>)
