import type { ReactNode } from 'react'
import { NextIntlClientProvider } from 'next-intl'
import { getMessages } from 'next-intl/server'
import type { Messages } from './messages'

/** A part of the texts that client components of a page use. */
export type Part = Exclude<keyof Messages, 'mail'>

/** What the frame and its controls say, on every page. */
const ALWAYS: readonly Part[] = ['common', 'errors']

/** Gives the client components inside the page's language, and only the parts of its texts that they use. */
export async function Texts({ of = [], children }: { of?: readonly Part[]; children: ReactNode }) {
  const messages = await getMessages()
  const parts = Object.fromEntries([...ALWAYS, ...of].map((part) => [part, messages[part]]))
  return <NextIntlClientProvider messages={parts}>{children}</NextIntlClientProvider>
}
