import { getRequestConfig } from 'next-intl/server'
import { readMessages } from './messages'
import { localeOfPage } from './locale-of-page'

/** What next-intl asks once for a request: the page's language, or one that is asked for by name, and its texts. */
export default getRequestConfig(async ({ locale: named }) => {
  const locale = named ?? (await localeOfPage())
  return { locale, messages: await readMessages(locale), timeZone: 'UTC' }
})
