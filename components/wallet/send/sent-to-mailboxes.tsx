'use client'

import { useLocale, useTranslations } from 'next-intl'
import type { Address } from 'viem'
import { writingOf } from '@/components/ui/quoted'
import { Sentence } from '@/components/ui/sentence'
import { PlaceLink } from '../place-link'
import { useSentToMailboxes } from './remembered-sends'

/** The items that were sent from here to mailboxes, until their end was seen: meanwhile they are in no list. */
export function SentToMailboxes({ from }: { from: Address }) {
  const t = useTranslations('ownWallet.mailboxes')
  const locale = useLocale()
  const sent = useSentToMailboxes(from)
  if (sent.length === 0) return null
  return (
    <section aria-labelledby="sent" className="grid gap-4">
      <h2 id="sent" className="text-xl font-medium">
        {t('title')}
      </h2>
      <ul className="divide-y rounded-md border bg-pane">
        {sent.map(({ itemId, title, email }) => (
          <li key={itemId}>
            <PlaceLink
              to={{ address: from, item: itemId, sends: true }}
              className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 px-4 py-3 hover:bg-well"
            >
              <span {...writingOf(title, locale)} className="min-w-0 font-medium wrap-anywhere">
                {title}
              </span>
              <span className="min-w-0 text-muted wrap-anywhere">
                <Sentence>{t.rich('where', { email: (name) => <bdi>{name}</bdi>, address: email })}</Sentence>
              </span>
            </PlaceLink>
          </li>
        ))}
      </ul>
    </section>
  )
}
