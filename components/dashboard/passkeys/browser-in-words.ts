import type { useTranslations } from 'next-intl'
import { browserOf } from '@/lib/core/browser-name'

/** A browser and its system in the language of the page, by the user agent that it sends. */
export function browserInWords(
  t: ReturnType<typeof useTranslations<'dashboard.common.browser'>>,
  userAgent: string | null,
): string {
  const { browser, system } = browserOf(userAgent)
  const known = browser ?? t('unknown')
  return system ? t('on', { browser: known, system }) : known
}
