import { type Subject, subjectOf } from '@/components/checkout/subject'
import type { Locale } from '@/lib/core/locales'
import { readOffer } from './read-offer'

/** A listing and what it sells, named in a language; null where there is none. */
export async function findOffer(listingId: string, locale: Locale) {
  const offer = await readOffer(listingId)
  if (!offer) return null
  const { listing, readAt } = offer
  const { isItem, collection, items } = offer.offered
  const [item] = items
  const subject: Subject =
    isItem && item
      ? subjectOf(item, collection.name, locale)
      : {
          kind: 'collection',
          title: collection.name,
          collection: collection.name,
          description: collection.description,
          pictures: items,
        }
  return { listing, subject, readAt }
}
