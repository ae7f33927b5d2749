import type { useTranslations } from 'next-intl'
import type { EventType } from '@/lib/platform/api/events'

type Translator = ReturnType<typeof useTranslations<'dashboard.webhooks'>>

/** The events in groups. */
export const EVENT_GROUPS = [
  { group: 'items', events: ['item.minted', 'item.transferred', 'item.burned'] },
  { group: 'listings', events: ['listing.created', 'listing.completed', 'listing.cancelled'] },
  { group: 'purchases', events: ['purchase.confirmed', 'purchase.fulfilled', 'purchase.refunded'] },
  { group: 'claims', events: ['claim.created', 'claim.redeemed', 'claim.delivered', 'claim.declined'] },
  { group: 'perks', events: ['perk.code_given'] },
  { group: 'collections', events: ['collection.deployed'] },
  { group: 'alarms', events: ['alarm.opened', 'alarm.resolved'] },
] as const satisfies readonly { group: string; events: readonly EventType[] }[]

export function eventsInWords(events: readonly EventType[], t: Translator): string {
  if (events.length === 0) return t('allEvents')
  return events.length <= 2 ? events.join(', ') : t('kindsOfEvent', { count: events.length })
}
