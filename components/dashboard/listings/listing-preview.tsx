import { useFormatter, useLocale, useTranslations } from 'next-intl'
import type { PictureItem } from '@/components/ui/item-title'
import { ItemPicture } from '@/components/ui/picture'
import { Sentence } from '@/components/ui/sentence'
import { Time } from '@/components/ui/time'
import type { Locale } from '@/lib/core/locales'
import { amountOf, minorOf } from '@/lib/core/money'
import { readAmount } from '@/lib/core/read-amount'
import type { Kind } from './kinds'
import type { TokenChoice } from './listing-kind-fields'

/** The values that are typed into the form, as text. */
export type Typed = { price: string; currency: string; quantity: string; start: string; end: string }

type Props = {
  subject: { kind: 'item' | 'collection'; title: string; picture: PictureItem }
  kind: Kind
  currency: TokenChoice
  typed: Typed
}

/** The listing as buyers will see it. */
export function ListingPreview({ subject, kind, currency, typed }: Props) {
  const t = useTranslations('dashboard.listings.preview')
  const words = useTranslations('dashboard.listings')
  const format = useFormatter()
  const locale = useLocale()
  const { quantity, start, end } = typed
  const count = /^\d+$/.test(quantity) ? format.number(Number(quantity)) : null
  return (
    <aside aria-label={t('title')} className="grid gap-3 lg:sticky lg:top-8">
      <p className="label-caps text-muted">{t('lead')}</p>
      <figure className="overflow-hidden rounded-lg border bg-pane shadow-lift">
        <ItemPicture item={subject.picture} size="thumb" className="w-full" />
        <figcaption className="grid gap-2 p-5">
          {subject.kind === 'collection' && <span className="label-caps text-muted">{t('whole')}</span>}
          <span className="text-lg font-medium wrap-anywhere">{subject.title}</span>
          <span className="text-2xl font-medium wrap-anywhere">
            {kind === 'free' ? words('free') : typedAmount(typed.price, currency, locale)}
          </span>
          <span className="grid gap-1 text-sm text-muted">
            {count && <span>{t('left', { count })}</span>}
            {start && (
              <span>
                <Sentence>{t.rich('from', { moment: () => <Time at={start} /> })}</Sentence>
              </span>
            )}
            {end && (
              <span>
                <Sentence>{t.rich('until', { moment: () => <Time at={end} /> })}</Sentence>
              </span>
            )}
          </span>
          <span
            aria-hidden="true"
            className="mt-1 rounded-md bg-ink px-4 py-2.5 text-center text-sm font-medium text-wall"
          >
            {words(`kinds.${kind}.button`)}
          </span>
        </figcaption>
      </figure>
    </aside>
  )
}

function typedAmount(price: string, { symbol, decimals }: TokenChoice, locale: Locale): string {
  const read = readAmount(price, locale)
  const minor = typeof read === 'string' ? minorOf(read, decimals) : null
  return minor === null ? '–' : amountOf(minor, symbol, decimals, locale)
}
