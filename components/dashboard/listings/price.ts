import type { useTranslations } from 'next-intl'
import type { Locale } from '@/lib/core/locales'
import { minorOf } from '@/lib/core/money'
import { readAmount, writtenIn } from '@/lib/core/read-amount'

type Say = ReturnType<typeof useTranslations<'dashboard.listings'>>

/** How a price is to be written: the field's hint, and its error. */
export const priceFormat = (t: Say, decimals: number, currency: string): string =>
  decimals === 0 ? t('price.whole', { currency }) : t('price.decimal', { decimals })

/** A price in minor units as the page's language writes it, or what is wrong with it. */
export function readPrice(
  t: Say,
  written: string,
  locale: Locale,
  { decimals, currency }: { decimals: number; currency: string },
): { minor: bigint } | { wrong: string } {
  const read = readAmount(written, locale)
  if (read && typeof read !== 'string') {
    const [first, second] = read.map((reading) => writtenIn(reading, locale)) as [string, string]
    return { wrong: t('price.ambiguous', { written: written.trim(), first, second }) }
  }
  const minor = read === null ? null : minorOf(read, decimals)
  return minor === null ? { wrong: priceFormat(t, decimals, currency) } : { minor }
}
