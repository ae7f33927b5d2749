import { createElement, type ReactNode } from 'react'
import { NextIntlClientProvider } from 'next-intl'
import messages from '../../messages/en.json' with { type: 'json' }

/** Components inside the English texts, as the layout gives them. */
export const inEnglish = (children: ReactNode): ReactNode =>
  createElement(NextIntlClientProvider, { locale: 'en', timeZone: 'UTC', messages, children })
