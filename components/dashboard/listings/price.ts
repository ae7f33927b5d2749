import type { useTranslations } from 'next-intl'

type Say = ReturnType<typeof useTranslations<'dashboard.listings'>>

/** How a price is to be written: the field's hint, and its error. */
export const priceFormat = (t: Say, decimals: number, currency: string): string =>
  decimals === 0 ? t('price.whole', { currency }) : t('price.decimal', { decimals })
