import type { ReactNode } from 'react'
import { NextIntlClientProvider } from 'next-intl'
import { getLocale, getMessages } from 'next-intl/server'
import { DEFAULT_LOCALE } from '@/lib/core/locales'
import type { Messages } from './messages'

type DashboardPart = keyof Messages['dashboard']

/** A part of the texts that client components of a page use. */
export type Part = Exclude<keyof Messages, 'mail' | 'dashboard'> | `dashboard.${DashboardPart}`

/** The texts of the frame and its controls, on every page. */
const ALWAYS: readonly Part[] = ['common', 'errors']
const IN_DASHBOARD = 'dashboard.'
/** Failures are told in the words of the problem documents where these are in the page's language. */
const inDashboard = (locale: string): readonly DashboardPart[] =>
  locale === DEFAULT_LOCALE ? ['common'] : ['common', 'errors']

/**
 * Gives the client components inside the page's language, and only the parts of its texts that they use; in the
 * dashboard what all its pages say as well.
 */
export async function Texts({ of = [], children }: { of?: readonly Part[]; children: ReactNode }) {
  const [all, locale] = await Promise.all([getMessages(), getLocale()])
  const given = [...ALWAYS, ...of]
  const isOfDashboard = (part: Part) => part.startsWith(IN_DASHBOARD)
  const own = given.filter((part) => !isOfDashboard(part)) as (keyof Messages)[]
  const parts = given.filter(isOfDashboard).map((part) => part.slice(IN_DASHBOARD.length) as DashboardPart)
  const messages = {
    ...Object.fromEntries(own.map((part) => [part, all[part]])),
    ...(parts.length > 0 && {
      dashboard: Object.fromEntries(
        ([...inDashboard(locale), ...parts] as const).map((part) => [part, all.dashboard[part]]),
      ),
    }),
  }
  return <NextIntlClientProvider messages={messages}>{children}</NextIntlClientProvider>
}
