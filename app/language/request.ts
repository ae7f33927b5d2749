import { getRequestConfig } from 'next-intl/server'
import { readMessages } from './messages'
import { localeOfPage } from './locale-of-page'

/** What next-intl asks once for a request: the page's language and its texts. */
export default getRequestConfig(async () => {
  const locale = await localeOfPage()
  return { locale, messages: await readMessages(locale), timeZone: 'UTC' }
})
