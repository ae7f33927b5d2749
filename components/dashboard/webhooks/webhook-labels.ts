import type { EventType } from '@/lib/platform/api/events'

/** Groups and labels of the events. */
export const EVENT_GROUPS = [
  { title: 'Items', events: ['item.minted', 'item.transferred', 'item.burned'] },
  { title: 'Listings', events: ['listing.created', 'listing.completed', 'listing.cancelled'] },
  { title: 'Purchases', events: ['purchase.confirmed', 'purchase.fulfilled', 'purchase.refunded'] },
  { title: 'Email claims', events: ['claim.created', 'claim.redeemed', 'claim.delivered', 'claim.declined'] },
  { title: 'Perks', events: ['perk.code_given'] },
  { title: 'Collections', events: ['collection.deployed'] },
  { title: 'Alarms', events: ['alarm.opened', 'alarm.resolved'] },
] as const satisfies readonly { title: string; events: readonly EventType[] }[]

export const eventsInWords = (events: readonly EventType[]): string =>
  events.length === 0 ? 'All events' : events.length <= 2 ? events.join(', ') : `${events.length} kinds of event`
