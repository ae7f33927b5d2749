import { getRequestConfig } from 'next-intl/server'
import type { DashboardLocale } from '@/lib/core/locales'
import { readDashboardMessages, readMessages } from './messages'
import { languagesOfPage, localeOfPage } from './locale-of-page'

/** Answers next-intl once for a request: the page's language, or one that is asked for by name, and its texts. */
export default getRequestConfig(async ({ locale: named }) => {
  const locale = named ?? (await localeOfPage())
  const isDashboard = !named && (await languagesOfPage()) === 'dashboard'
  const messages = await (isDashboard ? readDashboardMessages(locale as DashboardLocale) : readMessages(locale))
  return { locale, messages, timeZone: 'UTC' }
})
